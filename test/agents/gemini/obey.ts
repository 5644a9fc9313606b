import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** Events whose additional context reaches the model. */
const takesContext = ["SessionStart", "BeforeAgent", "AfterTool"];

/** Gemini CLI 0.61.0: fields and effects as seen running, 2026-11-30. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["decision", "reason", "hookSpecificOutput", "systemMessage"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  if (out.hookSpecificOutput !== undefined && specific.hookEventName !== event.native)
    throw new Error("wrong hookEventName");
  onlyFields(specific, [
    "hookEventName",
    ...(takesContext.includes(event.native) ? ["additionalContext"] : []),
    ...(event.native === "BeforeTool" ? ["tool_input"] : []),
  ]);
  if (out.decision !== undefined && !out.reason) throw new Error("a decision needs a reason");
  const refuses = out.decision === "deny" || out.decision === "block";
  return {
    effect:
      out.decision === "ask"
        ? "asks"
        : !refuses
          ? "goes-on"
          : event.native === "AfterAgent"
            ? "sent-back"
            : "blocked",
    told: String(out.reason ?? ""),
    context: specific.additionalContext ?? "",
    shown: String(out.systemMessage ?? ""),
    rewrite: (specific.tool_input as unknown as Record<string, unknown>) ?? null,
  };
};
