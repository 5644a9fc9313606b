import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** Events whose additional context reaches the model. */
const takesContext = ["SessionStart", "UserPromptSubmit", "PostToolUse"];

/** Factory Droid 0.225.2, as seen running and read, 2026-11-30. An ask is a fault here: it runs the tool. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, [
    "hookSpecificOutput",
    "decision",
    "reason",
    ...(event.native === "Stop" ? ["systemMessage"] : []),
    ...(event.native === "UserPromptSubmit" ? ["continue", "stopReason"] : []),
  ]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  if (out.hookSpecificOutput !== undefined && specific.hookEventName !== event.native)
    throw new Error("wrong hookEventName");
  onlyFields(specific, [
    "hookEventName",
    ...(takesContext.includes(event.native) ? ["additionalContext"] : []),
    ...(event.native === "PreToolUse"
      ? ["permissionDecision", "permissionDecisionReason", "updatedInput"]
      : []),
  ]);
  if (specific.permissionDecision === "ask") throw new Error("an ask would run the tool");
  const denies = specific.permissionDecision === "deny";
  if (out.continue === false) return { ...nothing, effect: "blocked", told: String(out.stopReason) };
  const sendsBack = event.native === "Stop" && out.decision === "block";
  return {
    effect: denies ? "blocked" : sendsBack ? "sent-back" : "goes-on",
    told: denies ? (specific.permissionDecisionReason ?? "") : sendsBack ? String(out.reason) : "",
    context: specific.additionalContext ?? "",
    shown: String(out.systemMessage ?? ""),
    rewrite: (specific.updatedInput as unknown as Record<string, unknown>) ?? null,
  };
};
