/**
 * What Holdfast decides about one event, before any agent's limits.
 *
 * - `allow`: go on. - `ask`: a person decides. - `deny`: refused; `reason` tells the agent why.
 * - `continue`: only at turn end: the agent is sent back to work with `reason`.
 */
export type Decision = "allow" | "ask" | "deny" | "continue";

export interface Verdict {
  readonly decision: Decision;
  /** For the agent (and the person, in a prompt): why, and what to do instead. Empty when allowed. */
  readonly reason: string;
  /** Ids of the rules that decided, e.g. `protect`, `git/force-push`, `tests`. */
  readonly by: readonly string[];
  /** Text to add to the model's context. */
  readonly context: readonly string[];
  /** Text for the person. */
  readonly messages: readonly string[];
  /** Replacement for the tool's input; carried only where the agent can. */
  readonly rewrite: Readonly<Record<string, unknown>> | null;
  /** What was on the disk or in the repository decided, not the call alone. */
  readonly weighed?: true;
}

export const allow: Verdict = {
  decision: "allow",
  reason: "",
  by: [],
  context: [],
  messages: [],
  rewrite: null,
};

/** Builds a verdict from the parts that differ from a silent allow. */
export function verdict(parts: Partial<Verdict>): Verdict {
  return { ...allow, ...parts };
}

const strength: Record<Decision, number> = { allow: 0, ask: 1, continue: 2, deny: 3 };

/**
 * Combines verdicts of several policies: deny beats ask beats allow (and a send-back beats both
 * of the latter); reasons of the winning strength, contexts and messages add up in order, without
 * repeats; the last rewrite wins and is dropped when the call does not go through.
 */
export function compose(verdicts: readonly Verdict[]): Verdict {
  const top = verdicts.reduce<Decision>(
    (best, v) => (strength[v.decision] > strength[best] ? v.decision : best),
    "allow",
  );
  const winners = top === "allow" ? [] : verdicts.filter((v) => v.decision === top);
  const counting = top === "allow" ? verdicts : winners;
  const rewrites = verdicts.map((v) => v.rewrite).filter((r) => r !== null);
  return {
    decision: top,
    reason: unique(winners.map((v) => v.reason)).join("\n\n"),
    by: unique(counting.flatMap((v) => v.by)),
    context: unique(verdicts.flatMap((v) => v.context)),
    messages: unique(verdicts.flatMap((v) => v.messages)),
    rewrite: top === "deny" || top === "continue" ? null : (rewrites.at(-1) ?? null),
    ...(counting.some((v) => v.weighed === true) ? { weighed: true } : {}),
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ""))];
}
