import type { Agent } from "../core/agent.ts";
import type { Cell, Want } from "../core/can.ts";
import type { EventName } from "../core/event.ts";
import type { Decision } from "../core/verdict.ts";

/** What an agent makes of a decision, in a word or two. */
export function effectWords(agent: Agent, event: EventName, decision: Decision): string {
  const cell = (want: string) => agent.can[want as Want] as Cell | undefined;
  if (decision === "allow") return "goes through";
  if (decision === "deny") {
    if (event === "pre-commit") return "commit refused";
    return cell(`${event}.deny`)?.effect === "yes" ? "block" : "nothing";
  }
  if (decision === "ask") {
    const ask = cell(`${event}.ask`)?.effect;
    if (ask === "yes") return "ask you";
    return ask === "deny" ? "block, tell it to ask you" : "nothing";
  }
  if (cell(`${event}.continue`)?.effect === "yes") return "send back";
  const message = cell(`${event}.message`)?.effect;
  if (message === "yes") return "tell you";
  return message === "log" ? "log only" : "tell you later";
}

/** True for agents that only see commits. */
export function isCommit(agent: Agent): boolean {
  return Object.values(agent.events).includes("pre-commit");
}
