import { nothing, type Obey, onlyFields, onlyJson } from "../../../conformance/outcome.ts";

/** What Newcomer does with an answer, as if it were Claude Code (guess, 2000-01-01). */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "decision", "reason"]);
  const specific = (out.hookSpecificOutput ?? { hookEventName: event.native }) as Record<string, string>;
  if (specific.hookEventName !== event.native) throw new Error("wrong hookEventName");
  onlyFields(specific, [
    "hookEventName",
    "additionalContext",
    ...(event.name === "pre-tool" ? ["permissionDecision", "permissionDecisionReason"] : []),
  ]);
  const context = specific.additionalContext ?? "";
  if (specific.permissionDecision === "deny") {
    return { ...nothing, effect: "blocked", told: String(specific.permissionDecisionReason), context };
  }
  if (out.decision !== "block") return { ...nothing, context };
  const effect = event.name === "turn-end" ? "sent-back" : "blocked";
  return { ...nothing, effect, told: String(out.reason), context };
};
