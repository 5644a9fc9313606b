import type { Reply } from "../../src/core/agent.ts";
import type { Event } from "../../src/core/event.ts";

/** What an agent does with a reply, by its own documented and observed rules; the opposite side of `reply`. */
export interface Outcome {
  /** The action does not happen, or the turn does not end. */
  readonly effect: "goes-on" | "asks" | "blocked" | "sent-back";
  /** What the model is told. */
  readonly told: string;
  readonly context: string;
  /** What the person is shown. */
  readonly shown: string;
  readonly rewrite: Readonly<Record<string, unknown>> | null;
}

export type Obey = (reply: Reply, event: Event) => Outcome;

export const nothing: Outcome = { effect: "goes-on", told: "", context: "", shown: "", rewrite: null };

/** The one JSON object a reply may hold, or null for a silent reply. Anything else is a fault. */
export function onlyJson(reply: Reply): Record<string, unknown> | null {
  if (reply.exitCode !== 0) throw new Error(`exit ${reply.exitCode}`);
  if (reply.stderr !== "") throw new Error(`stderr: ${reply.stderr}`);
  if (reply.stdout === "") return null;
  if (!/^\{.*\}\n$/.test(reply.stdout)) throw new Error(`not one JSON line: ${reply.stdout}`);
  return JSON.parse(reply.stdout);
}

/** Fails on any field the agent does not know. */
export function onlyFields(from: Record<string, unknown>, known: readonly string[]): void {
  const unknown = Object.keys(from).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new Error(`unknown fields: ${unknown.join(", ")}`);
}
