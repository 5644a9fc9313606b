import { causeOf, problem } from "../core/problem.ts";
import type { Check, Exam, Examination, Finding } from "./check.ts";
import { check as bridges } from "./checks/bridges.ts";
import { check as detected } from "./checks/detected.ts";
import { check as entries } from "./checks/entries.ts";
import { check as environment } from "./checks/environment.ts";
import { check as gitHook } from "./checks/git-hook.ts";
import { check as launcher } from "./checks/launcher.ts";
import { check as launcherFile } from "./checks/launcher-file.ts";
import { check as ledger } from "./checks/ledger.ts";
import { check as leftovers } from "./checks/leftovers.ts";
import { check as life } from "./checks/life.ts";
import { check as manifest } from "./checks/manifest.ts";
import { check as offSwitches } from "./checks/off-switches.ts";
import { check as ownFolder } from "./checks/own-folder.ts";
import { check as plainJson } from "./checks/plain-json.ts";
import { check as privateState } from "./checks/private-state.ts";
import { check as protects } from "./checks/protects.ts";
import { check as recordedProblems } from "./checks/recorded-problems.ts";
import { check as snoozed } from "./checks/snoozed.ts";
import { check as testCommand } from "./checks/test-command.ts";
import { check as trust } from "./checks/trust.ts";
import { check as uncheckedCalls } from "./checks/unchecked-calls.ts";

/** Every check; after the one that comes before all others, in the order of their codes. */
const checks: readonly Check[] = [
  environment,
  entries,
  launcherFile,
  launcher,
  plainJson,
  ledger,
  leftovers,
  detected,
  offSwitches,
  trust,
  manifest,
  protects,
  testCommand,
  life,
  bridges,
  snoozed,
  gitHook,
  privateState,
  ownFolder,
  recordedProblems,
  uncheckedCalls,
];

/**
 * Runs every check. A check that fails itself is a finding, not the end of the examination.
 * @param options `quick` leaves out the checks that start processes
 */
export async function examine(exam: Exam, options: { readonly quick?: boolean } = {}): Promise<Examination> {
  const findings: Finding[] = [];
  const passed: string[] = [];
  for (const check of checks) {
    if (options.quick === true && check.slow === true) continue;
    const found = await findWith(check, exam);
    findings.push(...found);
    if (found.length === 0) passed.push(check.words);
  }
  return { findings, passed };
}

/** Repairs what is safe. Returns the words of each repair, in the order of the findings. */
export async function repair(exam: Exam, findings: readonly Finding[]): Promise<string[]> {
  const done: string[] = [];
  for (const { check: id, problem: found } of findings) {
    const check = checks.find((one) => one.id === id);
    if (!found.fixable || check?.fix === undefined) continue;
    const words = await check.fix(exam, found);
    if (words !== null) done.push(`${found.code} ${found.where.file ?? ""}: ${words}`);
  }
  return done;
}

async function findWith(check: Check, exam: Exam): Promise<Finding[]> {
  try {
    return (await check.find(exam)).map((found) => ({ check: check.id, problem: found }));
  } catch (error) {
    const cause = causeOf(error);
    return [
      { check: check.id, problem: problem("HF811", `the check "${check.id}" failed itself`, { cause }) },
    ];
  }
}
