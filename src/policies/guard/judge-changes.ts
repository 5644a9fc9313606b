import type { Settings } from "../../core/settings.ts";
import type { World } from "../../core/world.ts";
import type { Analysis, Step, Touch } from "../../shell/analyse.ts";
import { noText, textStream } from "../../shell/model.ts";
import type { FileChange } from "./changes.ts";
import { type CommandHit, type CommandJudgement, riskHitsOf, verdictOf } from "./risky-commands.ts";
import { selfRule } from "./self.ts";
import { laterOff } from "./self-switches.ts";
import { eitherWay, settle } from "./settle.ts";

/** How a tool that was not known touches what its arguments name. */
export const guessedVia = "the tool's name says so";

/** How a file tool touches what it is given. */
export const fileToolVia = "a file tool changes it";

/**
 * What the rules about commands say to changes that a file tool makes: the same as if a command had made them. What
 * is protected, and Holdfast's own files, are judged elsewhere.
 */
export function judgeChanges(
  changes: readonly FileChange[],
  tool: string,
  settings: Settings,
  world: World,
): CommandJudgement {
  const given: Analysis = {
    steps: changes.map((change) => stepOf(change, tool, world)),
    touches: changes.map(touchOf),
    brought: [],
    written: new Map(changes.map(({ path, text }) => [path, textStream(text)])),
    unseen: [],
    incomplete: null,
  };
  const analysis = settle(given, world);
  const hits = [
    ...(settings.protect.holdfast ? switchHits(eitherWay(given, analysis)) : []),
    ...riskHitsOf(analysis, world, settings.commands),
  ];
  return { verdict: verdictOf(hits), analysis, hits };
}

function stepOf({ written }: FileChange, tool: string, { cwd }: World): Step {
  return {
    // No program of that name runs, so that rules about programs have nothing to say.
    name: "",
    args: [],
    cwd,
    place: "host",
    wrappers: [],
    env: new Map(),
    stdin: noText,
    text: `${tool} ${written}`,
    effects: [],
    scripts: [],
    facts: [],
  };
}

function touchOf({ path, written, action, tree, keeps, guessed }: FileChange, step: number): Touch {
  const via = guessed ? guessedVia : fileToolVia;
  return { path, marked: path, written, action, tree, keeps, via, step, glob: false, place: "host" };
}

function switchHits(analysis: Analysis): CommandHit[] {
  return analysis.touches.flatMap((touch) => {
    const said = isSource.test(touch.path) ? null : laterOff(touch, analysis);
    if (said === null) return [];
    const at = analysis.steps[touch.step]?.text ?? "";
    return [{ rule: selfRule, loss: "", safer: "", at, where: [{ step: touch.step, touch }], ...said }];
  });
}

/** What a program's own source says about commands is mostly text for people. */
const isSource =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kts?|scala|c|h|cc|cpp|hpp|cs|php|swift|lua|vue|svelte|css|scss|sql|ipynb)$/i;
