import type { Event } from "../../core/event.ts";
import type { Tree } from "../../core/repository.ts";
import { blankSession, type Check, type Context, type SessionState } from "../context.ts";

/** `agent/session`, as checks name who had them run. */
export function nameOf(event: Event): string {
  return `${event.agent}/${event.session ?? ""}`;
}

/**
 * The state of the event's session, begun now when it was not there. A session without an id is a new one
 * after some hours of silence, or the first one would never end.
 * @param untouched the agent cannot have changed anything yet, so that `tree` is where it started from
 */
export function openSession(
  event: Event,
  tree: Tree | null,
  untouched: boolean,
  context: Context,
): { readonly state: SessionState; readonly saved: boolean } {
  const now = context.now();
  const seen = context.state.session(event.agent, event.session);
  if (isCurrent(seen, event, now)) return { state: seen, saved: true };
  const before = earlierFailure(context.state.project().lastCheck, nameOf(event), tree, untouched);
  const baseline = untouched ? (tree?.fingerprint ?? null) : null;
  return context.state.updateSession(event.agent, event.session, (state) =>
    isCurrent(state, event, now)
      ? state
      : { ...blankSession, notes: state.notes, since: now, baseline, before },
  );
}

/** True the first time it is asked for a key in a session. */
export function isFirst(event: Event, key: string, context: Context): boolean {
  let first = false;
  context.state.updateSession(event.agent, event.session, (state) => {
    first = !state.told.includes(key);
    return first ? { ...state, told: [...state.told, key].slice(-mostKeys) } : state;
  });
  return first;
}

const namelessMs = 6 * 3_600_000;
const mostKeys = 50;

function isCurrent(state: SessionState, event: Event, now: number): boolean {
  return state.since > 0 && (event.session !== null || now - state.since < namelessMs);
}

/**
 * A failed check that shows how things were before this session: it tested the very tree the session began
 * with; or, when the beginning was not seen, it stood on the same commit and was made for another session.
 */
function earlierFailure(last: Check | null, by: string, tree: Tree | null, untouched: boolean): Check | null {
  if (last === null || last.by === by) return null;
  if (last.outcome !== "newly-failing" && last.outcome !== "failing-before") return null;
  if (tree === null) return last.fingerprint === null ? last : null;
  if (last.fingerprint === tree.fingerprint) return last;
  const isFromCommit = last.by.startsWith("git/");
  return !untouched && !isFromCommit && last.head === tree.head ? last : null;
}
