import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** The second hook system, since 0.1.52: Claude Code's answers (source, 2026-11-30). */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "decision", "reason", "systemMessage"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  onlyFields(specific, [
    "hookEventName",
    "additionalContext",
    "permissionDecision",
    "permissionDecisionReason",
  ]);
  const decision = event.name === "pre-tool" ? specific.permissionDecision : out.decision;
  const effects = {
    deny: "blocked",
    ask: "asks",
    block: event.name === "turn-end" ? "sent-back" : "blocked",
  } as const;
  return {
    effect: effects[decision as keyof typeof effects] ?? "goes-on",
    told: String(out.reason ?? specific.permissionDecisionReason ?? ""),
    context: specific.additionalContext ?? "",
    shown: String(out.systemMessage ?? ""),
    rewrite: null,
  };
};
