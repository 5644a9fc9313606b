import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readEntries } from "../journal/read.ts";
import type { Entry } from "../journal/write.ts";
import { doctorSession } from "./sample.ts";

/** What is waited for. */
export interface Vigil {
  readonly holdfastHome: string;
  /** Ids of the agents; each is waited for once. */
  readonly agents: readonly string[];
  /** Milliseconds since the epoch; earlier events do not count. */
  readonly since: number;
  readonly timeoutMs: number;
}

/** Often enough that a person sees the answer come with the event, seldom enough to cost nothing. */
const pollMs = 200;

/**
 * Waits until every agent has sent an event or the time is up. The journal need not be there yet, and may be
 * rotated meanwhile.
 *
 * @param heard called once for each agent, with its first event, as soon as it is read
 * @returns the agents that stayed silent
 */
export async function listen(vigil: Vigil, heard: (entry: Entry) => void): Promise<string[]> {
  const { holdfastHome, agents, since, timeoutMs } = vigil;
  const silent = new Set(agents);
  const end = performance.now() + timeoutMs;
  let seen = "";
  for (;;) {
    const last = performance.now() >= end;
    const now = signOf(holdfastHome);
    if (now !== seen) {
      for (const entry of eventsSince(holdfastHome, since)) if (silent.delete(entry.agent)) heard(entry);
    }
    seen = now;
    if (silent.size === 0 || last) return [...silent];
    await delay(Math.min(pollMs, Math.max(1, end - performance.now())));
  }
}

/** Differs after every event: reading the whole journal each time would cost more than waiting. */
function signOf(holdfastHome: string): string {
  const stat = statSync(join(holdfastHome, "journal.jsonl"), { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

function eventsSince(holdfastHome: string, since: number): Entry[] {
  return readEntries(holdfastHome).entries.filter(
    ({ at, session }) => Date.parse(at) >= since && session !== doctorSession,
  );
}
