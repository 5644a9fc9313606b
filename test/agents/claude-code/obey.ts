import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** Claude Code 2.1.332: fields and effects as seen running, 2026-11-30. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "decision", "reason", "systemMessage"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  if (out.hookSpecificOutput !== undefined && specific.hookEventName !== event.native)
    throw new Error("wrong hookEventName");
  onlyFields(specific, [
    "hookEventName",
    "additionalContext",
    ...(event.name === "pre-tool" ? ["permissionDecision", "permissionDecisionReason", "updatedInput"] : []),
  ]);
  const blocks = out.decision === "block";
  const denies = specific.permissionDecision === "deny";
  const asks = specific.permissionDecision === "ask";
  return {
    effect: denies
      ? "blocked"
      : asks
        ? "asks"
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
