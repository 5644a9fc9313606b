import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/**
 * Codex 0.171.0, as seen running, 2026-11-30: one field it does not know, an ask, a bare allow or a deny
 * without a reason, and the hook counts as failed while the action goes on. Each of those is a fault here.
 */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(
    out,
    event.name === "pre-tool"
      ? ["hookSpecificOutput", "systemMessage"]
      : ["hookSpecificOutput", "decision", "reason", "systemMessage"],
  );
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  if (out.hookSpecificOutput !== undefined && specific.hookEventName !== event.native)
    throw new Error("wrong hookEventName");
  onlyFields(specific, [
    "hookEventName",
    "additionalContext",
    ...(event.name === "pre-tool" ? ["permissionDecision", "permissionDecisionReason", "updatedInput"] : []),
  ]);
  const decision = specific.permissionDecision;
  if (decision === "ask") throw new Error("ask is not supported");
  if (decision === "allow" && specific.updatedInput === undefined)
    throw new Error("a bare allow is an error");
  if (decision === "deny" && !specific.permissionDecisionReason) throw new Error("a deny needs a reason");
  if (out.decision === "block" && !out.reason) throw new Error("a block needs a reason");
  const blocks = out.decision === "block";
  return {
    effect:
      decision === "deny"
        ? "blocked"
        : !blocks
          ? "goes-on"
          : event.name === "turn-end"
            ? "sent-back"
            : "blocked",
    told: String(blocks ? out.reason : (specific.permissionDecisionReason ?? "")),
    context: specific.additionalContext ?? "",
    shown: String(out.systemMessage ?? ""),
    rewrite: (specific.updatedInput as unknown as Record<string, unknown>) ?? null,
  };
};
