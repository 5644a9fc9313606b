import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** Events whose additional context reaches the model. */
const takesContext = ["SessionStart", "UserPromptSubmit", "PostToolUse"];

/** Qwen Code 0.24.4: fields and effects as seen running, 2026-11-30. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "decision", "reason", "systemMessage"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  if (out.hookSpecificOutput !== undefined && specific.hookEventName !== event.native)
    throw new Error("wrong hookEventName");
  onlyFields(specific, [
    "hookEventName",
    ...(takesContext.includes(event.native) ? ["additionalContext"] : []),
    ...(event.native === "PreToolUse" ? ["permissionDecision", "permissionDecisionReason"] : []),
  ]);
  const blocks = out.decision === "block" || out.decision === "deny";
  const denies = specific.permissionDecision === "deny" || (event.native === "PreToolUse" && blocks);
  return {
    effect: denies
      ? "blocked"
      : specific.permissionDecision === "ask"
        ? "asks"
        : !blocks
          ? "goes-on"
          : event.native === "Stop"
            ? "sent-back"
            : "blocked",
    told: String(specific.permissionDecisionReason ?? out.reason ?? ""),
    context: specific.additionalContext ?? "",
    shown: String(out.systemMessage ?? ""),
    rewrite: null,
  };
};
