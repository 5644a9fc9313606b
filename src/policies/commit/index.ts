import type { PreCommitEvent } from "../../core/event.ts";
import type { Staged, StagedFile } from "../../core/repository.ts";
import type { Settings } from "../../core/settings.ts";
import { allow, type Verdict, verdict } from "../../core/verdict.ts";
import { unlinked } from "../../core/world.ts";
import { protector } from "../../paths/protect.ts";
import type { Check, Context } from "../context.ts";
import { type Plan, planTests, runCheck } from "../verify/check.ts";

/**
 * Before a commit: refuses protected files among what is staged, then runs the tests when `git.run_tests`
 * is on. A merge's or rebase's files that only come along are not held against it.
 */
export async function commit(event: PreCommitEvent, settings: Settings, context: Context): Promise<Verdict> {
  const staged = await context.git.staged();
  if (staged.kind !== "staged") {
    const why = staged.kind === "broken" ? staged.why : "no repository found";
    return say(`Holdfast: git did not answer (${why}), so this commit was not checked. See: holdfast doctor`);
  }
  const hits = protectedAmong(staged.files, settings, context);
  if (hits.length > 0) return verdict({ decision: "deny", reason: refusal(hits), by: ["protect"] });
  const plan = settings.git.runTests ? planTests(settings.tests, context) : null;
  if (plan === null) return allow;
  if ("note" in plan) return say(`Holdfast: the tests were not run: ${plan.note}.`);
  return tested(event, plan, staged, settings, context);
}

interface Hit {
  readonly file: StagedFile;
  readonly pattern: string;
}

function protectedAmong(files: readonly StagedFile[], { protect }: Settings, { world }: Context): Hit[] {
  // Git names every file by its own path, through no symlink; what the working tree looks like is no matter.
  const guard = protector(protect, unlinked(world));
  return files.flatMap((file) => {
    const hit = guard.hit(file.path);
    return hit === null ? [] : [{ file, pattern: hit.pattern }];
  });
}

function refusal(hits: readonly Hit[]): string {
  const lines = hits.map(
    ({ file, pattern }) => `  ${file.change} ${shown(file.name)}  (protected by "${pattern}")`,
  );
  const many = hits.length === 1 ? "a protected file" : `${hits.length} protected files`;
  return [
    `Holdfast refuses this commit: it changes ${many}.`,
    ...lines,
    "Take it out of the commit with: git restore --staged <file>",
    "A person who means it commits with: git commit --no-verify",
    "To allow a file for good, add it to protect.except in holdfast.yaml.",
  ].join("\n");
}

/** File names may hold line breaks and escape sequences; on a terminal they stay letters. */
function shown(name: string): string {
  return /[\u0000-\u001f\u007f-\u009f]/.test(name) ? JSON.stringify(name) : name;
}

async function tested(
  event: PreCommitEvent,
  plan: Plan,
  staged: Staged,
  { tests }: Settings,
  context: Context,
): Promise<Verdict> {
  const by = `${event.agent}/`;
  const options = { by, timeoutMs: tests.timeoutMs, before: null, soon: staged.fingerprint };
  const check = await context.state.exclusively(tests.timeoutMs, () => runCheck(plan, options, context));
  if (check === null)
    return say("Holdfast: another check of this project is still running; commit not tested.");
  const verdictOfTests = judge(check);
  if (!staged.otherChanges || check.outcome !== "passed") return verdictOfTests;
  return say(
    "Holdfast: the tests passed on the working tree, which holds changes this commit does not take.",
  );
}

function judge(check: Check): Verdict {
  const what = `\`${check.command}\` (${check.ended})`;
  switch (check.outcome) {
    case "passed":
      return allow;
    case "no-tests":
      return say(`Holdfast: ${what} found no tests; the commit was not tested.`);
    case "could-not-run":
      return say(`Holdfast: the tests could not be run: ${what}; the commit was not tested.\n${check.tail}`);
    case "timed-out":
      return say(
        `Holdfast: the tests did not finish: \`${check.command}\` was ${check.ended}; whether they pass is not known.`,
      );
    case "failing-before":
    case "newly-failing":
      return verdict({ decision: "deny", reason: failure(what, check), by: ["tests"] });
  }
}

function failure(what: string, check: Check): string {
  return [
    `Holdfast refuses this commit: the tests fail: ${what}.`,
    check.tail,
    "A person who means it commits with: git commit --no-verify",
  ].join("\n");
}

function say(text: string): Verdict {
  return verdict({ messages: [text] });
}
