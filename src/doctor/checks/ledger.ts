import { type Problem, problem } from "../../core/problem.ts";
import { adoptMoved } from "../../install/adopt.ts";
import { isLedgerProblem, type Ledger, readLedger } from "../../install/ledger.ts";
import { realPath } from "../../runtime/files.ts";
import type { Check, Exam } from "../check.ts";
import { standingOf } from "../standing.ts";

/** The record of what was written can be read, so that all of it can be taken out again. */
export const check: Check = {
  id: "ledger",
  words: "there is a record of what was written, so that uninstall can give every byte back",
  find(exam) {
    const found = readLedger(exam.holdfastHome);
    if (isLedgerProblem(found)) return [found];
    const { ledger, from } = adoptMoved(found, exam.machine);
    if (from === null) return unrecorded(exam, ledger);
    const message = `this project was at ${from} when Holdfast was installed; its record there is taken as this one's`;
    const hint = "Nothing: the next install or uninstall writes it down.";
    return [problem("HF129", message, { severity: "info", hint })];
  },
};

/** Entries that a clone, a copy or another machine's install brought along. */
function unrecorded({ setups, machine }: Exam, { files }: Ledger): Problem[] {
  const known = new Set(files.flatMap(({ file, real }) => [file, real]));
  const standing = setups
    .flatMap((setup) => setup.scopes.flatMap((scope) => standingOf(setup, scope, machine)))
    .filter(({ state, count }) => count > 0 && state !== "foreign")
    .map(({ plan }) => plan.file);
  const strange = [...new Set(standing)].filter((file) => !known.has(file) && !known.has(realPath(file)));
  const [file] = strange;
  if (file === undefined) return [];
  const more = strange.length === 1 ? "" : ` (and ${strange.length - 1} more)`;
  const message = `hooks stand here that no install on record put here${more}, as in a clone or a copy`;
  const hint =
    "Nothing, as long as they stay. holdfast uninstall takes them out by their exact text, but cannot give back the bytes from before.";
  return [problem("HF109", message, { severity: "info", hint, where: { file } })];
}
