import type { Outcome, Run } from "../context.ts";
import { plain } from "./tail.ts";

/** What a run shows by itself; whether a failure is new depends on what is known from before. */
export type Shown = Exclude<Outcome, "newly-failing" | "failing-before"> | "failed";

/**
 * Tells how a test run came out. An exit code of 0 is a pass unless the output says that there was nothing to
 * run; a failure counts as "could not run" or "no tests" only on the runner's own words for it. A signal is a
 * failure: ours come with the time limit only, the others mostly for want of memory or from the tests themselves.
 */
export function classify(run: Run): Shown {
  if (run.end === "timeout") return "timed-out";
  if (run.end === "could-not-start") return "could-not-run";
  const output = plain(run.output);
  if (run.code === 0) return ranNothing(output) ? "no-tests" : "passed";
  if (run.code === 126 || run.code === 127) return "could-not-run";
  if (saysNoTests(output) || isPlaceholder(output) || (run.code === 5 && /\bno tests ran\b/i.test(output)))
    return "no-tests";
  return missing.some((words) => words.test(output)) || isShellComplaint(output) ? "could-not-run" : "failed";
}

/** The words in which runners and package managers say that they could not begin. At the start of a line. */
const missing: readonly RegExp[] = [
  /^npm (?:error|ERR!) (?:Missing script|enoent|code ENOENT|could not determine executable)/im,
  /^\s*(?:ERR_PNPM_NO_SCRIPT|ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND)/m,
  /^error Command "test" not found/m,
  /^Usage Error: Couldn't find a script named/m,
  /^error: Script not found "/m,
  /^(?:error: )?Failed to spawn: /m,
  /^Command not found: /m,
  /^\S*python\S*: No module named (?:pytest|unittest|django|nose)\s*$/m,
  /^pyenv: \S+: command not found/m,
  /^make(?:\[\d+\])?: \*\*\* No rule to make target ['`]test'/m,
  /^(?:make|just|task): .*(?:No makefile found|No justfile found|No Taskfile found)/im,
  /^error: (?:could not find `Cargo\.toml`|no such command: )/m,
  /^go: (?:cannot find main module|go\.mod file not found)/m,
  /^Error: Cannot find module '[^']*node_modules\/[^']*'/m,
  /^MSBUILD : error MSB1003/m,
];

/** A package manager may turn the shell's 127 into its own 1; then the complaint is all there is to see. */
function isShellComplaint(output: string): boolean {
  const lines = output.trim().split("\n");
  return (
    lines.length <= 15 &&
    lines.some((line) => /^(?:\/bin\/)?(?:ba)?sh: (?:line )?\d+: \S+: (?:command )?not found$/.test(line))
  );
}

/** Said by a runner that failed because there was nothing to run. */
function saysNoTests(output: string): boolean {
  return [
    /^No test files found, exiting with code \d/m,
    /^No tests found, exiting with code \d/m,
    /^Error: No test files found/m,
    /^error: No test modules found/m,
    /^(?:error: )?No tests found!?$/im,
    /^NO TESTS RAN$/m,
    /^No tests were found!!!$/m,
    /^No tests executed!$/m,
    /^There are no tests to run$/m,
    /^=+ no tests ran in /m,
    /^0 tests? found/m,
  ].some((words) => words.test(output));
}

/** What `npm init` writes as test script says so; nothing but package managers may say more. */
function isPlaceholder(output: string): boolean {
  const lines = output.split("\n").filter((line) => !managersTalk.test(line));
  return (
    lines.length > 0 && lines.every((line) => /^Error: no tests? (?:specified|yet)\.?$/i.test(line.trim()))
  );
}

const managersTalk =
  /^\s*$|^[>$] |^npm (?:error|ERR!)|^yarn run v|^error Command failed|^info Visit |^error: script "|^\s*ELIFECYCLE /;

/** A run that ended well although nothing was tested. Any sign of a real test speaks against it. */
function ranNothing(output: string): boolean {
  return emptyRuns.some(({ empty, real }) => empty.test(output) && !real.test(output));
}

const never = /(?!)/;

const emptyRuns: readonly { readonly empty: RegExp; readonly real: RegExp }[] = [
  { empty: /^\?\s+\S+\s+\[no test files\]/m, real: /^(?:ok|FAIL)\s+\S+\s/m },
  { empty: /^running 0 tests$/m, real: /^running [1-9]\d* tests?$/m },
  { empty: /^[#ℹ] tests 0$/m, real: /^[#ℹ] tests [1-9]/m },
  { empty: /^Ran 0 tests in /m, real: /^Ran [1-9]\d* tests? in /m },
  { empty: /^0 examples, 0 failures/m, real: /^[1-9]\d* examples?, /m },
  { empty: /^\[INFO\] No tests to run\.$/m, real: /Tests run: [1-9]/ },
  { empty: /^> Task :(?:\S+:)?test NO-SOURCE$/m, real: /^> Task :(?:\S+:)?test(?! NO-SOURCE)/m },
  { empty: /^No tests (?:executed!|were found!!!|found, exiting with code 0)$/m, real: never },
  { empty: /^No test files found, exiting with code 0$/m, real: never },
  { empty: /^There are no tests to run$/m, real: never },
];
