import { eventNames } from "../core/event.ts";
import type { Entry } from "../journal/write.ts";

/** A fault that came up once, and what later event would show that it is gone. */
export interface Fault {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null: an event of any project shows it. */
  readonly project: string | null;
  /** Null: an event of any agent shows it. */
  readonly agent: string | null;
  /** Names of events that show it; null: any. */
  readonly events: readonly string[] | null;
}

/** The event in which it came up, where that has one of our own names: records may have the agent's. */
export function sameEvent(event: string | null): readonly string[] | null {
  const name = eventNames.find((known) => known === event);
  return name === undefined ? null : [name];
}

/**
 * Since when a fault is over, in milliseconds since the epoch: when the first event was answered that began after it
 * and is of its kind. Null: there was none yet.
 */
export function overSince(fault: Fault, entries: readonly Entry[]): number | null {
  const later = entries.find(
    ({ at, ms, project, agent, event }) =>
      Date.parse(at) - ms > fault.at &&
      (fault.project === null || project === fault.project) &&
      (fault.agent === null || agent === fault.agent) &&
      (fault.events === null || fault.events.includes(event)),
  );
  return later === undefined ? null : Date.parse(later.at);
}
