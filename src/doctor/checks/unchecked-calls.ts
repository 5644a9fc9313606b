import { join } from "node:path";
import { type Problem, problem } from "../../core/problem.ts";
import { findProject } from "../../git/project.ts";
import { readEntries } from "../../journal/read.ts";
import type { Entry } from "../../journal/write.ts";
import type { Check, Exam } from "../check.ts";
import { overSince, sameEvent } from "../over.ts";
import { ago, clock, recentMs } from "../time.ts";
import { readUnchecked, type Unchecked } from "../unchecked.ts";

/**
 * Calls that went through because Holdfast could not be started for them: the person is told which, and whether it
 * works again. What happened in other projects is no business of this one.
 */
export const check: Check = {
  id: "unchecked-calls",
  words: "Holdfast could be started for every call of the last seven days",
  find(exam) {
    const recent = readUnchecked(exam.holdfastHome).filter(({ at }) => exam.now - at < recentMs);
    const groups = new Map<string, Unchecked[]>();
    for (const one of recent) {
      const project = one.cwd === null ? null : (findProject(one.cwd, null, exam.home)?.root ?? null);
      const isElsewhere = project !== null && project !== (exam.project?.root ?? null);
      if (isElsewhere && !exam.everything) continue;
      const key = [
        isElsewhere ? project : "",
        one.by,
        one.by === "bridge" ? one.agent : "",
        one.cause,
      ].join();
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    if (groups.size === 0) return [];
    const { entries } = readEntries(exam.holdfastHome);
    return [...groups].map(([key, calls]) => finding(calls, key.startsWith("/"), entries, exam));
  },
};

function finding(
  calls: readonly Unchecked[],
  isElsewhere: boolean,
  entries: readonly Entry[],
  exam: Exam,
): Problem {
  const [first] = calls;
  const last = calls.at(-1);
  if (first === undefined || last === undefined) throw new Error("a group of no calls");
  const { by, cause } = first;
  const over = calls
    .map((call) => overSince({ ...call, at: call.at + exactMs, project: null, ...showing(call) }, entries))
    .reduce((a, b) => (a === null || b === null ? null : Math.max(a, b)));
  const place = isElsewhere ? ` in ${last.cwd}` : "";
  const message = `${counted(calls)}${place} ${calls.length === 1 ? "was" : "were"} not checked, ${when(first.at, last.at)}`;
  const mend = by === "bridge" ? `holdfast prove ${first.agent}` : "holdfast install, then holdfast doctor";
  const hint =
    over === null
      ? mend
      : `Over: Holdfast has answered since ${clock(over)} (${ago(exam.now - over)}). What was changed before: git status, git log`;
  return problem("HF812", message, {
    cause,
    hint,
    severity: over === null && !isElsewhere ? "warning" : "info",
    where: { file: join(exam.holdfastHome, "breadcrumbs.log") },
  });
}

/** The launcher writes whole seconds. */
const exactMs = 1000;

/**
 * A program that ends badly in one event may do well in others; one that is not there, or has no Node, is missed in
 * every one. A bridge is the agent's own.
 */
function showing({ by, agent, event, cause }: Unchecked) {
  if (by === "bridge") return { agent, events: null };
  return { agent: null, events: cause.includes(" ended with ") ? sameEvent(event) : null };
}

function counted(calls: readonly Unchecked[]): string {
  const kinds = new Set(calls.map(({ agent, event }) => (event === null ? agent : `${agent} ${event}`)));
  return `${calls.length} call${calls.length === 1 ? "" : "s"} (${[...kinds].join(", ")})`;
}

function when(first: number, last: number): string {
  return first === last ? clock(first) : `${clock(first)} to ${clock(last)}`;
}
