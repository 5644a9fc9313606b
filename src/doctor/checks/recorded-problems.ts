import { statSync } from "node:fs";
import type { Problem } from "../../core/problem.ts";
import type { AgentSetup } from "../../core/setup.ts";
import { readEntries } from "../../journal/read.ts";
import type { Entry } from "../../journal/write.ts";
import { type RecordedProblem, readProblems } from "../../runtime/problems.ts";
import type { Check, Exam } from "../check.ts";
import { overSince, sameEvent } from "../over.ts";
import { doctorSession } from "../sample.ts";
import { ago, clock, recentMs } from "../time.ts";

/**
 * What hooks could not do: each was allowed at the time and left a record. A fault is over once a later event of its
 * project went without it. What then is worth knowing is only that calls went unchecked.
 */
export const check: Check = {
  id: "recorded-problems",
  words: "no hook has trouble in this project",
  find(exam) {
    const recent = readProblems(exam.env, exam.home).filter(({ at }) => exam.now - at < recentMs);
    const latest = new Map<string, { found: RecordedProblem; times: number }>();
    for (const found of recent) {
      // The manifest is read anew by its own check; what was wrong with it last week no longer matters.
      if (isOfManifest(found) && found.where.file === exam.manifest.file) continue;
      const key = [found.code, found.message, found.where.file, found.project].join("|");
      latest.set(key, { found, times: (latest.get(key)?.times ?? 0) + 1 });
    }
    if (latest.size === 0) return [];
    const entries = readEntries(exam.holdfastHome).entries.filter(({ session }) => session !== doctorSession);
    return [...latest.values()].flatMap(({ found, times }) => told(found, times, entries, exam));
  },
};

function told(recorded: RecordedProblem, times: number, entries: readonly Entry[], exam: Exam): Problem[] {
  const { at, project, event, ...found } = recorded;
  const isElsewhere = isOfAnother(recorded, exam);
  const over = overFrom(recorded, entries);
  const isKept = exam.everything || (!isElsewhere && (over === null || unchecked.includes(found.code)));
  if (!isKept) return [];
  const often = `${times === 1 ? "" : `${times} times, last `}${ago(exam.now - at)}`;
  const place = isElsewhere && project !== null ? ` in ${project}` : "";
  const next = found.hint === "holdfast doctor" ? nextStep(found, exam.setups) : found.hint;
  return [
    {
      ...found,
      hint: over === null ? next : `Over: it has not come up again since ${clock(over)}.`,
      severity:
        over !== null || isElsewhere ? "info" : found.severity === "error" ? "warning" : found.severity,
      message: `${found.message}${place} (${often})`,
      fixable: false,
    },
  ];
}

/** Of these a person wants to know afterwards, too: calls went through that nobody had looked at. */
const unchecked: readonly string[] = ["HF806", "HF809"];

/** Older records do not name their project; a manifest tells it by its place. */
function isOfAnother({ project, ...found }: RecordedProblem, exam: Exam): boolean {
  if (project !== null) return project !== (exam.project?.root ?? null);
  return isOfManifest(found);
}

function isOfManifest({ code, where }: Problem): boolean {
  return code.startsWith("HF3") && where.file !== undefined;
}

function overFrom(found: RecordedProblem, entries: readonly Entry[]): number | null {
  const { at, project, event, code, where } = found;
  if (isOfManifest(found) && changedSince(where.file ?? "", at)) return at;
  const agent = unchecked.includes(code) ? (where.agent ?? null) : null;
  const events = code === "HF605" ? alwaysAskGit : code === "HF805" ? null : sameEvent(event);
  return overSince({ at, project: code === "HF805" ? null : project, agent, events }, entries);
}

/** Before a tool call git is asked only where a command would lose work. */
const alwaysAskGit = ["turn-end", "pre-commit"];

function changedSince(file: string, at: number): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined || stat.mtimeMs > at;
}

/** The record says "holdfast doctor", which is where it is being read: this is what comes after. */
function nextStep({ where, code }: Problem, setups: readonly AgentSetup[]): string {
  const setup = setups.find(({ agent, launch }) => agent.id === where.agent && launch !== null);
  const byHand = code === "HF809" ? "Nothing, if you ran `holdfast hook` by hand. Else: " : "";
  return `${byHand}holdfast prove${setup === undefined ? "" : ` ${setup.agent.id}`}   (shows whether your agent still reaches Holdfast)`;
}
