import type { Settings } from "../../core/settings.ts";
import type { World } from "../../core/world.ts";
import type { ProtectHit, Protector } from "../../paths/protect.ts";
import type { Analysis, Step, Touch } from "../../shell/analyse.ts";
import { hasUnknown, show } from "../../shell/marks.ts";
import { absolute } from "../../shell/place.ts";
import type { CommandHit } from "./risky-commands.ts";
import { type SelfLookup, selfLookup, selfRule } from "./self.ts";
import { hooksOff, laterOff, type Said, switchedBy, switchedInside, switchesOff } from "./self-switches.ts";

/** Whether what a command does to a path is something that a protector knows. */
export type TouchHit = (touch: Touch, guard: Protector, world: World) => ProtectHit | null;

/** What a command would do to Holdfast itself: its files, its switches, and the commands that are the person's. */
export function selfHits(
  analysis: Analysis,
  settings: Settings,
  world: World,
  touchHit: TouchHit,
): CommandHit[] {
  if (!settings.protect.holdfast) return [];
  const found = new Map<string, CommandHit>();
  const note = (said: Said | null, step: number, touch: Touch | null = null) => {
    if (said === null || found.has(said.words)) return;
    const at = analysis.steps[step]?.text ?? touch?.written ?? "";
    found.set(said.words, { rule: selfRule, loss: "", safer: "", at, where: [{ step, touch }], ...said });
  };
  analysis.steps.forEach((step, at) => {
    note(
      switched(step) ?? switchedInside(step, analysis) ?? ownCommand(step) ?? removed(step) ?? hooksOff(step),
      at,
    );
  });
  for (const touch of analysis.touches) note(laterOff(touch, analysis), touch.step, touch);
  const lookup = selfLookup(settings, world);
  if (lookup === null) return [...found.values()];
  analysis.steps.forEach((step, at) => {
    note(locked(step, lookup), at);
  });
  for (const touch of analysis.touches) {
    if (touch.action === "read" || touch.place === "remote") continue;
    const said = touched(touch, world, lookup, (own) => touchHit(touch, own, world));
    note(said, touch.step, touch);
  }
  return [...found.values()];
}

function touched(
  touch: Touch,
  { root }: World,
  lookup: SelfLookup,
  find: (own: Protector) => ProtectHit | null,
): Said | null {
  const hit = lookup(touch.path, touch.tree || touch.action !== "write" || touch.glob, find);
  // What the project's own folder is called was not spelled out by anybody.
  const written =
    root !== null && touch.path.startsWith(`${root}/`) ? touch.path.slice(root.length) : touch.path;
  if (hit === null || (touch.glob && !spellsOut(written, hit.pattern))) return null;
  return { verdict: hit.verdict, words: `${hit.path} ${hit.words}` };
}

/** `*.yaml` is about many files; a glob that spells out some name of the pattern is about that one. */
function spellsOut(glob: string, pattern: string): boolean {
  const named = glob.replace(/\.[^./*?]*$/, "").split(/[/*?[\]{},]+/);
  return named.some((part) => part.length > 3 && pattern.toLowerCase().includes(part.toLowerCase()));
}

const modeProgram = /^(?:chmod|chown|chgrp|chattr|chflags|setfacl|icacls|attrib)$/;

/** Taking away the right to read or run a file switches it off as well as deleting it. */
function locked(step: Step, lookup: SelfLookup): Said | null {
  if (!modeProgram.test(step.name) || step.place !== "host") return null;
  for (const word of step.args) {
    if (word.startsWith("-") || hasUnknown(word)) continue;
    const path = absolute(step.cwd, word);
    const hit = lookup(path, true, (own) => own.hit(path) ?? own.hitTree(path));
    if (hit === null) continue;
    // Agents' own settings, and folders of agents, get other modes for many good reasons.
    const isOurs = hit.verdict === "deny" && !hit.holds;
    if (isOurs || takesRights(step, hit.holds))
      return { verdict: hit.verdict, words: `${hit.path} ${hit.words}` };
  }
  return null;
}

/** Does it take from the owner the right to read a file, or to enter a folder? */
function takesRights({ name, args }: Step, folder: boolean): boolean {
  if (name === "icacls") return args.some((word) => /^\/(?:deny|inheritance:r|remove)/i.test(word));
  if (name !== "chmod") return false;
  const needed = folder ? "rx" : "r";
  return args.some((word) => {
    if (/^[0-7]{1,5}$/.test(word)) {
      const owner = Number(word.padStart(3, "0").at(-3));
      return (owner & 4) === 0 || (folder && (owner & 1) === 0);
    }
    return word.split(",").some((part) => {
      const [, sign = "", rights = ""] = /^(?:[go]*[ua][ugoa]*)?([-=])([rwxXst]*)$/.exec(part) ?? [];
      const named = [...needed].filter((right) => rights.toLowerCase().includes(right)).length;
      return sign === "-" ? named > 0 : sign === "=" && named < needed.length;
    });
  });
}

/** A variable that would switch checks off, set for this command or for what comes later. */
function switched(step: Step): Said | null {
  const isOff = ([name, value]: readonly [string, string]) =>
    switchesOff(name, value) || /^unset HOLDFAST/.test(name);
  const set = [...step.env].find(isOff) ?? declared(step).find(isOff);
  if (set === undefined) return null;
  return switchedBy(set[0].replace(/^unset /, ""));
}

function declared({ name: given, args }: Step): [string, string][] {
  const name = given.toLowerCase();
  const plain = args.filter((word) => !word.startsWith("-"));
  const isItem = /^(?:set|new|remove)-item$/.test(name);
  const words = isItem ? plain.map((word, at) => (at === 0 ? (ofEnv.exec(word)?.[1] ?? "") : word)) : plain;
  if (name === "unset" || name === "remove-item") return words.map((word) => [`unset ${word}`, ""]);
  const inRegistry = name === "reg" ? args[0] === "add" : /^(?:set|new)-itemproperty$/.test(name);
  const inSession = /^(?:tmux|systemctl)$/.test(name)
    ? plain.some((word) => /^set(?:-environment|env)$/.test(word))
    : false;
  const byPairs = isItem || inRegistry || inSession || /^(?:setx|launchctl|setenv)$/.test(name);
  if (!byPairs && !/^(?:export|declare|typeset|readonly)$/.test(name)) return [];
  return words.flatMap((word, at): [string, string][] => {
    const equals = word.indexOf("=");
    if (equals > 0) return [[word.slice(0, equals), word.slice(equals + 1)]];
    const value = words[at + 1];
    return byPairs && value !== undefined ? [[word, value]] : [];
  });
}

/** An item of PowerShell that is a variable of the environment. */
const ofEnv = /^env:[\\/]?(\w+)$/i;

/** Commands of Holdfast that are a person's to type, and those that a person decides about. */
const persons = new Set(["allow", "snooze", "uninstall"]);
const asked = new Set(["install", "import", "restore", "edit", "trust"]);

function ownCommand(step: Step): Said | null {
  const words = holdfastWords(step);
  if (words === null || words.some((word) => /^(?:--dry-run|--help|-h)$/.test(word))) return null;
  const verb = words.find(
    (word, at) => !word.startsWith("-") && !/^--(?:cwd|config)$/.test(words[at - 1] ?? ""),
  );
  if (verb === undefined) return null;
  if (persons.has(verb))
    return {
      verdict: "deny",
      words: `\`holdfast ${verb}\` is for the person to type, in a terminal of their own.`,
      safer: "Tell them what you need it for.",
    };
  if (asked.has(verb) || (verb === "doctor" && words.includes("--fix")) || hasUnknown(verb))
    return {
      verdict: "ask",
      words: `\`holdfast ${show(verb)}\` changes how the person's agents are guarded, so they decide.`,
    };
  return null;
}

/** The arguments of a call of Holdfast, by name, by its file, or through a package runner; null for any other. */
function holdfastWords(step: Step): readonly string[] | null {
  if (/^holdfast(?:@[\w.-]+|\.cjs)?$/i.test(step.name)) return step.args;
  if (!step.args.some((word) => word.includes("holdfast"))) return null;
  if (!/^(?:node|nodejs|bun|deno|npx|bunx|pnpx|npm|pnpm|yarn)$/.test(step.name)) return null;
  const at = step.args.findIndex((word) =>
    /(?:^|[/\\])holdfast(?:\.cjs|@[\w.-]+|[/\\]dist[/\\]\w+\.c?js)?$/.test(word),
  );
  if (at < 0 || (at > 0 && isRemoval(step))) return null;
  return step.args.slice(at + 1);
}

const managers = /^(?:npm|pnpm|yarn|bun|volta|brew|mise|asdf)$/;

function isRemoval(step: Step): boolean {
  return step.args.some((word) => /^(?:un|uninstall|remove|rm|r|unlink)$/.test(word));
}

function removed(step: Step): Said | null {
  if (!managers.test(step.name) || !isRemoval(step)) return null;
  if (!step.args.some((word) => /^holdfast(?:@|$)/.test(word))) return null;
  return {
    verdict: "deny",
    words: "removing Holdfast is for the person to do.",
    safer: "Tell them why it is in the way.",
  };
}
