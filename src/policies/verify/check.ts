import { hashAll } from "../../core/hash.ts";
import type { Tree } from "../../core/repository.ts";
import type { TestSettings } from "../../core/settings.ts";
import type { Check, Context, Outcome, Run } from "../context.ts";
import { classify } from "./classify.ts";
import { detectTests } from "./detect-tests.ts";
import { areAmong, endedOf, failuresOf } from "./failures.ts";
import { tailOf } from "./tail.ts";

/** What to run, and where. */
export interface Plan {
  readonly command: string;
  /** Absolute. */
  readonly dir: string;
}

/** The configured or detected test command; a note when there are tests that cannot be run; null when there are none. */
export function planTests(
  tests: TestSettings,
  { world, files }: Context,
): Plan | { readonly note: string } | null {
  const { root, cwd } = world;
  if (root === null || tests.command?.trim() === "") return null;
  if (tests.command !== null) return { command: tests.command, dir: root };
  const found = detectTests(root, cwd, files);
  if (found === null) return null;
  return found.command === null ? { note: found.note } : { command: found.command, dir: found.dir };
}

export interface CheckOptions {
  /** Who wants it: `agent/session`. */
  readonly by: string;
  /** Milliseconds until the run is ended. */
  readonly timeoutMs: number;
  /** A failed check from before the session, or null. */
  readonly before: Check | null;
  /** Fingerprint the tree is known to get without a change of content: by the commit in the making. */
  readonly soon: string | null;
}

/** Runs the tests once and records the result for the project. */
export async function runCheck(plan: Plan, options: CheckOptions, context: Context): Promise<Check> {
  const tree = treeOf(await context.git.tree());
  const run = await context.run(plan.command, plan.dir, options.timeoutMs);
  const failures = failuresOf(run);
  const check: Check = {
    at: context.now(),
    by: options.by,
    command: plan.command,
    fingerprint: tree?.fingerprint ?? null,
    head: tree?.head ?? null,
    outcome: outcomeOf(run, failures, plan, options.before),
    ended: endedOf(run),
    failures,
    tail: tailOf(run.output),
  };
  // Tests may leave files behind; the tree with those is the one that passed, too.
  const after = treeOf(await context.git.tree());
  const soon =
    options.soon ?? (isFine(check) && after?.clean === false ? await context.git.fingerprintOfAll() : null);
  record(check, plan, [check.fingerprint, after?.fingerprint ?? null, soon], context);
  return check;
}

/** Stands for "this tree, tested by this command". */
export function passKey(fingerprint: string, { command, dir }: Plan): string {
  return hashAll([fingerprint, command, dir]);
}

export function treeOf(answer: { readonly kind: string } | Tree): Tree | null {
  return answer.kind === "tree" ? (answer as Tree) : null;
}

function outcomeOf(run: Run, failures: readonly string[], plan: Plan, before: Check | null): Outcome {
  const shown = classify(run);
  if (shown !== "failed") return shown;
  if (before === null || before.command !== plan.command || before.ended !== endedOf(run))
    return "newly-failing";
  return areAmong(failures, before.failures) ? "failing-before" : "newly-failing";
}

function isFine({ outcome }: Check): boolean {
  return outcome === "passed" || outcome === "no-tests";
}

function record(check: Check, plan: Plan, trees: readonly (string | null)[], context: Context): void {
  const keys = trees.filter((tree) => tree !== null).map((tree) => passKey(tree, plan));
  context.state.updateProject((state) => {
    const passed = isFine(check) ? [...new Set(keys)] : state.passed.filter((key) => !keys.includes(key));
    return { ...state, passed, lastCheck: check };
  });
}
