import { findProgram } from "../install/detect.ts";
import type { Args } from "./command.ts";
import { isCommit } from "./effect.ts";
import type { Prepared } from "./install-plan.ts";
import { flow } from "./output.ts";
import type { Known } from "./wizard.ts";

/** What was found, before anything is asked. */
export function showFound({ screen, globals }: Args, { found, detectedTests }: Known): void {
  if (globals.quiet) return;
  const names = found
    .filter(({ present }) => present)
    .map(({ setup, version }) => (version === null ? setup.agent.title : `${setup.agent.title} ${version}`));
  const lead = `${screen.paint.dim("Found")}  `;
  const listed = names.map((name, index) => (index === names.length - 1 ? name : `${name},`));
  for (const line of flow(lead, listed.length === 0 ? ["no agent"] : listed, screen.width))
    screen.print(line);
  if (detectedTests !== null) screen.print(`${lead}test command: ${detectedTests}`);
}

/** The files that were written. */
export function showWritten({ screen }: Args, files: readonly string[], plan: Prepared["plan"]): void {
  const steps = plan.changes.flatMap(({ step }) => (step === null ? [] : [step]));
  const quiet = steps.every(({ aside }) => !aside) && steps.some(({ before }) => before !== null);
  const names = files.map((file, index) => `${screen.path(file)}${index === files.length - 1 ? "" : ","}`);
  for (const line of flow(`${screen.paint.green("Written:")} `, names, screen.width)) screen.print(line);
  if (quiet) screen.print("Nothing of yours is moved or removed.");
}

/** What the person must still do, what stays unguarded, and what to type next. */
export function showNext(args: Args, prepared: Prepared, { found }: Known): void {
  const { screen, globals } = args;
  if (globals.quiet) return;
  const { paint, width } = screen;
  const steps = stepsOf(prepared);
  if (steps.length > 0) screen.print("\nTo switch it on");
  for (const { titles, words } of steps)
    for (const line of flow("  ", [paint.bold(titles), "", ...words.split(" ")], width, "    "))
      screen.print(line);
  const chosen = new Set([...prepared.wanted, ...prepared.refused].map(({ setup }) => setup));
  const others = found
    .filter(({ setup, present, installed }) => present && installed.length === 0 && !chosen.has(setup))
    .filter(({ setup }) => !prepared.left.includes(setup));
  const names = others.map(({ setup }) => setup.agent.title).join(", ");
  if (names !== "") for (const line of flow("\nNot guarded: ", names.split(" "), width)) screen.print(line);
  screen.print(`\nNext: holdfast ${nextCommand(args, prepared)}`);
}

/** An agent that cannot be proved shows by its first real event that it reaches Holdfast. */
function nextCommand(args: Args, prepared: Prepared): string {
  if (runnable(args, prepared).length > 0)
    return "prove   (your own agents, a scripted model, nothing spent)";
  return prepared.wanted.some(({ setup }) => !isCommit(setup.agent))
    ? "doctor --live   (waits for the first real event of each agent)"
    : "doctor";
}

/** Agents with the same step share a line. */
function stepsOf({ wanted }: Prepared): { titles: string; words: string }[] {
  const byWords = new Map<string, string[]>();
  for (const { setup, scope } of wanted) {
    const { words } = setup.activation(scope);
    if (words !== "") byWords.set(words, [...(byWords.get(words) ?? []), setup.agent.title]);
  }
  return [...byWords].map(([words, titles]) => ({ titles: titles.join(", "), words }));
}

/** Agents that can be proved and whose program is here. */
export function runnable({ env, platform }: Args, { wanted }: Prepared): string[] {
  const here = wanted.filter(
    ({ setup: { launch, detect } }) =>
      launch !== null && detect.commands.some((name) => findProgram(name, env, platform) !== null),
  );
  return here.map(({ setup }) => setup.agent.id);
}
