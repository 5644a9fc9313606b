/** How a fact about an agent is known. `ran`: seen in the real program; `source`: read in shipped code. */
export type Known = "ran" | "source" | "docs" | "guess";

/** What one event may want of an agent. */
export const wants = [
  "pre-tool.deny",
  "pre-tool.ask",
  "pre-tool.rewrite",
  "pre-tool.context",
  "pre-tool.message",
  "prompt.deny",
  "prompt.context",
  "session-start.context",
  "post-tool.context",
  "turn-end.continue",
  "turn-end.message",
  "pre-commit.deny",
  "pre-commit.message",
] as const;

export type Want = (typeof wants)[number];

/**
 * What the agent really does with it.
 * - `yes`: carried out as meant.
 * - `deny`: an ask becomes a refusal that tells the agent to ask the person.
 * - `log`: reaches a log or stderr only, so a person may not see it.
 * - `no`: dropped.
 */
export type Effect = "yes" | "deny" | "log" | "no";

export interface Cell {
  readonly effect: Effect;
  readonly known: Known;
  /** Agent version and date the fact was seen on, e.g. `2.1.332, 2026-11-30`. */
  readonly seen: string;
  /** One short sentence where the effect needs words. */
  readonly note: string;
}

export type Can = Readonly<Record<Want, Cell>>;

export function cell(effect: Effect, known: Known, seen: string, note = ""): Cell {
  return { effect, known, seen, note };
}
