import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../../core/problem.ts";
import type { AgentSetup } from "../../core/setup.ts";
import { readEntries } from "../../journal/read.ts";
import type { Check, Exam } from "../check.ts";
import { doctorSession } from "../sample.ts";
import { installedScopes, standingOf } from "../standing.ts";
import { ago } from "../time.ts";

/**
 * A host drops a plugin that does not load without a word. A bridge leaves a sign at each start, so that the
 * absence of a sign tells; only a trace of the host's own tells that it was started at all.
 */
export const check: Check = {
  id: "bridges",
  words: "every bridge was loaded by its agent since it was written",
  find: (exam) => exam.setups.flatMap((setup) => notLoaded(setup, exam)),
};

/** The host may write its trace this long before or after it loads the bridge, milliseconds. */
const slackMs = 2 * 60_000;

/** What tells that an agent does not load its bridge; empty when it does, or has none. */
export function notLoaded(setup: AgentSetup, exam: Exam): Problem[] {
  const bridge = newestBridge(setup, exam);
  if (bridge === null) return [];
  const { id, title } = setup.agent;
  const where = { file: bridge.file, agent: id };
  const loaded = lastLoad(setup, bridge.only, exam);
  const since = Math.max(bridge.written, loaded + slackMs);
  const { times, complaint } = tracesOf(setup, bridge, exam);
  const started = times.filter((time) => time > since && time < exam.now - slackMs);
  if (started.length > 0) {
    const last = ago(exam.now - Math.max(...started));
    const message = `${title} was started here ${last} and did not load its bridge: nothing was guarded`;
    const { words: hint } = setup.activation(bridge.scope);
    return [problem("HF502", message, { cause: complaint ?? "", hint, where })];
  }
  if (loaded >= bridge.written) return [];
  const message = `${title} has not loaded its bridge since it was written ${ago(exam.now - bridge.written)}`;
  const hint = `Start ${title} here once, then: holdfast doctor`;
  return [problem("HF503", message, { severity: "info", hint, where })];
}

interface Bridge {
  readonly file: string;
  readonly scope: AgentSetup["scopes"][number];
  /** Milliseconds since the epoch. */
  readonly written: number;
  /** True when every event of the agent comes through the bridge, so that an event is a sign of life too. */
  readonly only: boolean;
}

function newestBridge(setup: AgentSetup, { machine }: Exam): Bridge | null {
  const found = installedScopes(setup, machine).flatMap((scope) => {
    const parts = standingOf(setup, scope, machine);
    return parts.flatMap(({ plan, count }): Bridge[] => {
      const isBridge = plan.kind === "own-file" && plan.file.endsWith(".js") && count > 0;
      const written = isBridge ? modified(plan.file) : null;
      return written === null ? [] : [{ file: plan.file, scope, written, only: parts.length === 1 }];
    });
  });
  return found.toSorted((a, b) => b.written - a.written)[0] ?? null;
}

/** When the bridge last showed that it runs; 0 for never. */
function lastLoad({ agent }: AgentSetup, byEvents: boolean, { holdfastHome }: Exam): number {
  const sign = modified(join(holdfastHome, "alive", agent.id)) ?? 0;
  if (!byEvents) return sign;
  const last = readEntries(holdfastHome).entries.findLast(
    (entry) => entry.agent === agent.id && entry.session !== doctorSession,
  );
  return Math.max(sign, last === undefined ? 0 : Date.parse(last.at));
}

interface Traces {
  /** When the agent was started here, milliseconds since the epoch. */
  readonly times: readonly number[];
  /** What the agent itself has against the bridge. */
  readonly complaint: string | null;
}

function tracesOf({ starts }: AgentSetup, { file }: Bridge, { machine }: Exam): Traces {
  const place = starts?.place(machine) ?? null;
  if (starts === undefined || place === null || machine.root === null) return noTraces;
  try {
    const text = statSync(place).isDirectory() ? readdirSync(place).join("\n") : readFileSync(place, "utf8");
    return { times: starts.times(text, machine.root), complaint: starts.complaint(text, file) };
  } catch {
    // Never started, or it keeps its traces elsewhere.
    return noTraces;
  }
}

const noTraces: Traces = { times: [], complaint: null };

function modified(file: string): number | null {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}
