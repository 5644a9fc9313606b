import type { Can, Want } from "../core/can.ts";
import type { Event } from "../core/event.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Context } from "../policies/context.ts";

/** Opened only when there is something to keep or to look for. */
type Kept = Pick<Context, "state">;

/** Texts kept per session; older ones go first. */
const mostKept = 5;

/** Remembers texts that the agent had no way to show (see `carry`), each once. */
export function keepForLater(held: readonly string[], event: Event, kept: Kept): void {
  if (held.length === 0) return;
  kept.state.updateSession(event.agent, event.session, (session) => ({
    ...session,
    notes: [...session.notes.filter((note) => !held.includes(note)), ...held].slice(-mostKept),
  }));
}

/**
 * Adds what waited for an event that can carry it: as a message to the person, or else as context that asks the
 * model to pass it on. Only where nothing else is to be said, and not inside a subagent, which talks to no person.
 */
export function withKept(decided: Verdict, event: Event, can: Can, kept: Kept): Verdict {
  if (decided.decision !== "allow" || event.subagent || saysAtOnce(can)) return decided;
  const channel = (["message", "context"] as const).find(
    (want) => can[`${event.name}.${want}` as Want]?.effect === "yes",
  );
  if (channel === undefined) return decided;
  const { state } = kept;
  const { notes } = state.session(event.agent, event.session);
  if (notes.length === 0) return decided;
  state.updateSession(event.agent, event.session, (session) => ({
    ...session,
    notes: session.notes.filter((note) => !notes.includes(note)),
  }));
  return channel === "message"
    ? { ...decided, messages: [...decided.messages, ...notes] }
    : { ...decided, context: [...decided.context, ...notes.map(passOn)] };
}

/** Nothing ever waits there, so nothing need be looked up. */
function saysAtOnce(can: Can): boolean {
  return can["turn-end.message"].effect === "yes" && can["pre-tool.message"].effect === "yes";
}

function passOn(note: string): string {
  return `Holdfast had no way to show this to the person. Tell them before you go on: ${note}`;
}
