import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/**
 * Kimi Code 2.1.0, 2026-11-30: a denial blocks a call and a prompt and sends a turn back (ran), a message reaches
 * the model with a prompt (ran), everywhere else it is dropped (source).
 */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "message"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  onlyFields(specific, ["hookEventName", "permissionDecision", "permissionDecisionReason"]);
  const context = event.name === "prompt" ? String(out.message ?? "") : "";
  const heard = ["pre-tool", "prompt", "turn-end"].includes(event.name);
  if (specific.permissionDecision !== "deny" || !heard) return { ...nothing, context };
  const effect = event.name === "turn-end" ? "sent-back" : "blocked";
  return { ...nothing, effect, told: specific.permissionDecisionReason ?? "", context };
};
