import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** A guess: Claude Code's answers, as the documentation's events and fields are Claude Code's. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "decision", "reason"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  onlyFields(specific, ["hookEventName", "permissionDecision", "permissionDecisionReason"]);
  if (event.name === "pre-tool" && specific.permissionDecision === "deny") {
    return { ...nothing, effect: "blocked", told: specific.permissionDecisionReason ?? "" };
  }
  if (event.name === "turn-end" && out.decision === "block") {
    return { ...nothing, effect: "sent-back", told: String(out.reason) };
  }
  return nothing;
};
