import { problem } from "../../core/problem.ts";
import { readEntries } from "../../journal/read.ts";
import type { Entry } from "../../journal/write.ts";
import type { Check, Exam } from "../check.ts";
import { doctorSession } from "../sample.ts";
import { installedScopes } from "../standing.ts";
import { ago } from "../time.ts";
import { notLoaded } from "./bridges.ts";

/** Every installed agent has sent at least one event, and the record of events can be read. */
export const check: Check = {
  id: "life",
  words: "every installed agent has been heard from",
  find(exam) {
    const { entries, damaged } = readEntries(exam.holdfastHome);
    const torn = problem("HF505", `${damaged} damaged lines in the journal were skipped`, {
      severity: "info",
    });
    const silent = exam.setups.filter(
      (setup) =>
        installedScopes(setup, exam.machine).length > 0 &&
        lastEvent(entries, setup.agent.id) === null &&
        // A bridge that was not loaded can have sent nothing: its own check says the nearer cause.
        notLoaded(setup, exam).length === 0,
    );
    const findings = silent.map((setup) => {
      const { id } = setup.agent;
      const prove =
        setup.launch === null
          ? `holdfast doctor --live ${id}   (waits for its first event)`
          : `holdfast prove ${id}`;
      return problem("HF501", "no event has ever arrived", {
        severity: "info",
        hint: prove,
        where: { agent: id },
      });
    });
    return damaged > 0 ? [...findings, torn] : findings;
  },
};

/** The newest event of an agent that a real run of it caused; null when there was none. */
function lastEvent(entries: readonly Entry[], agent: string): Entry | null {
  return entries.findLast((entry) => entry.agent === agent && entry.session !== doctorSession) ?? null;
}

/** `heard 5 min ago`, or that nothing was heard. */
export function heard(entries: readonly Entry[], agent: string, { now }: Pick<Exam, "now">): string {
  const last = lastEvent(entries, agent);
  return last === null ? "no event yet" : `heard ${ago(now - Date.parse(last.at))}`;
}
