import type { Event } from "../../core/event.ts";
import type { Tree } from "../../core/repository.ts";
import { blankSession, type Check, type Context, type SessionState } from "../context.ts";

/** `agent/session`, as checks name who had them run. */
export function nameOf(event: Event): string {
  return `${event.agent}/${event.session ?? ""}`;
}

/** True when a tool was called, or a change found, in the event's session. */
export function hasBegun(event: Event, context: Context): boolean {
  const state = context.state.session(event.agent, event.session);
  return isCurrent(state, event, context.now()) && !state.idle;
}

/**
 * Before a session's first tool call: `tree` is where it starts from, whatever was said before. A session
 * without an id is a new one after some hours, or the first one would never end.
 */
export function beginWork(event: Event, tree: Tree | null, context: Context): void {
  const now = context.now();
  const { lastCheck, heard } = context.state.project();
  const before = earlierFailure(lastCheck, nameOf(event), tree, true);
  context.state.updateSession(event.agent, event.session, (state) => {
    if (isCurrent(state, event, now) && !state.idle) return state;
    const baseline = tree?.fingerprint ?? null;
    return { ...opened(state, event, now), baseline, ...baseOf(tree, now), before, idle: false };
  });
  if (heard.includes(event.agent)) return;
  context.state.updateProject((project) =>
    project.heard.includes(event.agent) ? project : { ...project, heard: [...project.heard, event.agent] },
  );
}

/**
 * The state of the session whose turn ends. As long as no tool call was heard of it, it is talk: what it finds is
 * where it begins, and all that differs later is work, committed or not. But a change may also be the work of a
 * tool that no hook tells of; so that holds for what is committed, or was not written to for longer than such a
 * turn lasts, and for an agent whose calls were never heard only for a commit that no check came before.
 */
export async function openSession(event: Event, tree: Tree | null, context: Context): Promise<SessionState> {
  const now = context.now();
  const seen = context.state.session(event.agent, event.session);
  const { lastCheck, heard } = context.state.project();
  const isHeard = heard.includes(event.agent);
  const goesOn = isCurrent(seen, event, now);
  if (goesOn && !(seen.idle && isHeard && seen.baseline !== tree?.fingerprint)) return seen;
  const isKnown = isHeard || lastCheck === null || lastCheck.head === tree?.head;
  const idle = tree?.clean ? isKnown : isHeard && (await isOld(context));
  if (goesOn && !idle) return seen;
  const baseline = idle ? (tree?.fingerprint ?? null) : null;
  const before = earlierFailure(lastCheck, nameOf(event), tree, idle);
  return context.state.updateSession(event.agent, event.session, (state) =>
    isCurrent(state, event, now) && !state.idle
      ? state
      : { ...opened(state, event, now), baseline, ...baseOf(tree, now), before, idle },
  ).state;
}

/** A turn of talk does not take that long, milliseconds. */
const oldMs = 10 * 60_000;

/** Everything that differs from the last commit has long been so. What is gone has no time. */
async function isOld({ git, files, now }: Context): Promise<boolean> {
  const found = await git.unsaved([]);
  if (found.kind !== "unsaved") return false;
  return found.files.every(({ path }) => {
    const changed = files.times(path)?.changed;
    return changed !== undefined && changed < now() - oldMs;
  });
}

/** A change was found: what the tree is like at the next tool call is no beginning any more. */
export function endIdleness(event: Event, context: Context): void {
  context.state.updateSession(event.agent, event.session, (state) => ({ ...state, idle: false }));
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

function baseOf(tree: Tree | null, now: number): Pick<SessionState, "base" | "baseAt"> {
  return { base: tree === null ? null : (tree.head ?? ""), baseAt: now };
}

/** As it is when it goes on, else new, with the texts that still wait. */
function opened(state: SessionState, event: Event, now: number): SessionState {
  return isCurrent(state, event, now) ? state : { ...blankSession, notes: state.notes, since: now };
}

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
