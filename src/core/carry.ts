import type { Can, Want } from "./can.ts";
import type { Event } from "./event.ts";
import type { Verdict } from "./verdict.ts";

/** A verdict cut down to what the agent can do, and the texts that found no way to the person or the model. */
export interface Carried {
  readonly verdict: Verdict;
  /** To be told at the next event that can carry it. */
  readonly held: readonly string[];
}

/**
 * Fits a verdict to an agent by its `can` table, the single place where verdicts degrade:
 * an ask that cannot be asked becomes a deny with instructions; a send-back that cannot be
 * carried becomes a message; context and messages without a channel are held for a later event.
 */
export function carry(verdict: Verdict, event: Event, can: Can): Carried {
  const held: string[] = [];
  let { decision, reason, context, messages, rewrite } = verdict;
  if (decision === "ask" && event.name === "pre-tool" && can["pre-tool.ask"].effect !== "yes") {
    decision = "deny";
    reason = `${reason}\n${askThePerson}`;
  }
  if (decision === "continue" && effectOf(can, `${event.name}.continue`) !== "yes") {
    decision = "allow";
    messages = [...messages, reason];
    reason = "";
  }
  if (context.length > 0 && effectOf(can, `${event.name}.context`) !== "yes") {
    held.push(...context);
    context = [];
  }
  if (messages.length > 0 && effectOf(can, `${event.name}.message`) === "no") {
    held.push(...messages);
    messages = [];
  }
  if (effectOf(can, `${event.name}.rewrite`) !== "yes") rewrite = null;
  return { verdict: { ...verdict, decision, reason, context, messages, rewrite }, held };
}

/** Ends a refusal that stands in for a question the agent cannot ask. */
export const askThePerson =
  "This agent has no way to show a confirmation. Do not try another spelling: tell the person what you wanted to run and why, and let them run it themselves if they agree.";

function effectOf(can: Can, want: string): string {
  return can[want as Want]?.effect ?? "no";
}
