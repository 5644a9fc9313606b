import { coverage, rules } from "../core/coverage.ts";
import type { Machine, Scope } from "../core/setup.ts";
import { hintsOf, lineWorks } from "../doctor/hand-line.ts";
import { foreignHooks } from "../install/detect.ts";
import type { FileChange, InstallPlan } from "../install/plan.ts";
import type { Screen } from "./command.ts";
import { isCommit } from "./effect.ts";
import type { Prepared } from "./install-plan.ts";
import { diffLines, table } from "./output.ts";

/** Lines of a file wholly ours that are shown unless everything is asked for. */
const shownLines = 14;

/** The table "what each agent can carry out": a line for each agent, the same words as `coverage` says. */
export function showAbilities(screen: Screen, { wanted, powerless }: Prepared, machine: Machine): void {
  if (wanted.length === 0) return;
  screen.print(`${screen.paint.bold("What each agent can carry out")}   (all of it: holdfast coverage)`);
  const rows = wanted.map(({ setup }) => {
    const { agent } = setup;
    const waits = hintsOf(setup, machine).some((hint) => !lineWorks(hint, agent.id, machine));
    const nothing = powerless.some((one) => one.setup === setup) ? "not guarded" : "nothing yet";
    const isIdle = waits || nothing === "not guarded";
    return [agent.title, ...shownRules.map((rule) => (isIdle ? nothing : coverage(rule, agent.can).words))];
  });
  for (const line of table([["", ...shownRules.map(({ title }) => title)], ...rows])) screen.print(line);
  screen.print();
}

/** Three fit on a screen of 80 columns. */
const shownRules = rules.slice(0, 3);

/** How much is shown: only what needs words, the diff of each, or also every line of long new files. */
export type Detail = "notes" | "diffs" | "everything";

/** Says how many hooks of other tools are in the same files: they stay. */
export function showForeign(screen: Screen, prepared: Prepared, machine: Machine): void {
  const counted = prepared.wanted.map(({ setup, scope }) => {
    const count = foreignHooks(setup, scope, machine).reduce((sum, one) => sum + one.count, 0);
    return { title: setup.agent.title, count };
  });
  const having = counted.filter(({ count }) => count > 0);
  if (having.length === 0) return;
  const total = having.reduce((sum, { count }) => sum + count, 0);
  const by = having.map(({ title, count }) => `${title} ${count}`).join(", ");
  screen.print(
    `${total} hook${total === 1 ? " that is not ours stays" : "s that are not ours stay"}: ${by}\n`,
  );
}

/** Every change, then what is left to do by hand, what is left alone, and what to know. */
export function showPlan(screen: Screen, plan: InstallPlan, detail: Detail): void {
  const written = plan.changes.filter(({ step }) => step !== null);
  const notes = written.flatMap(({ note }) => (note === "" ? [] : [note]));
  if (detail === "notes") for (const note of notes) screen.print(note);
  else if (written.length > 0) {
    const moves = written.some(({ step }) => step?.aside);
    screen.print(`${countOf(written)}.${moves ? "" : " Nothing of yours is moved or removed."}`);
    for (const change of written) {
      showDiff(screen, change, detail === "everything");
      if (change.note !== "") screen.print(`       ${change.note}`);
    }
    screen.print();
  }
  for (const { file, message } of plan.hints)
    screen.print(`By hand  ${screen.path(file)}\n  ${message.replaceAll("\n", "\n  ")}\n`);
  for (const found of [...plan.refused, ...plan.warnings]) screen.problem(found);
}

/** Names every agent that was asked for and is not installed, or is in vain. */
export function showMissing(
  screen: Screen,
  { plan, refused, powerless, left }: Prepared,
  scope: Scope,
): void {
  for (const { setup } of refused) {
    const { id, title } = setup.agent;
    const files = plan.refused.filter(({ where, code }) => where.agent === id && code !== editedByHand);
    const words = files.length === 0 ? "Left as it is" : screen.paint.bold("Not installed");
    screen.print(`${words}: ${title}, for the reason above.`);
  }
  for (const { setup } of powerless)
    screen.print(`${screen.paint.bold("Not guarded")}: ${setup.agent.title}, for the reason above.`);
  for (const { agent } of left) {
    const why = isCommit(agent) ? "needs a git repository" : `has no ${scope} scope`;
    screen.print(`${agent.title} ${why} and is left out.`);
  }
}

/** Names every agent that goes elsewhere than was chosen. */
export function showElsewhere(screen: Screen, { wanted }: Prepared, chosen: Scope): void {
  for (const { setup, scope } of wanted)
    if (scope !== chosen) screen.print(`${setup.agent.title} is for this clone only, whatever the scope.`);
}

/** What a scope means, as the wizard words it. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  project: "for this project, for everyone",
  local: "for this project, only for you",
  user: "for all your projects",
};

/** Ours, and so installed before; only not touched. */
const editedByHand = "HF102";

/** True when some diff was shortened. */
export function isShortened(plan: InstallPlan): boolean {
  return plan.changes.some((change) => isLong(change));
}

function showDiff(screen: Screen, change: FileChange, everything: boolean): void {
  const lines = diffLines(change.diff, screen.paint);
  const shown = everything || !isLong(change) ? lines : lines.slice(0, shownLines);
  for (const line of shown) screen.print(line);
  const rest = lines.length - shown.length;
  if (rest > 0)
    screen.print(screen.paint.dim(`… ${rest} more lines of this new file (all of them: --verbose)`));
}

/** Only a new file is ever shortened: what changes in a file of the person is always shown whole. */
function isLong({ step, diff }: FileChange): boolean {
  return step !== null && step.before === null && diff.split("\n").length > shownLines + 30;
}

function countOf(changes: readonly FileChange[]): string {
  const created = changes.filter(({ step }) => step?.before === null).length;
  const changed = changes.length - created;
  const files = (count: number) => `${count} file${count === 1 ? "" : "s"}`;
  if (changed === 0) return `${files(created)} will be created`;
  const change = `${files(changed)} will change`;
  return created === 0 ? change : `${change}, ${created} will be created`;
}
