import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

const fields: Readonly<Record<string, readonly string[]>> = {
  preToolUse: ["permissionDecision", "permissionDecisionReason", "modifiedArgs", "additionalContext"],
  postToolUse: ["additionalContext"],
  userPromptSubmitted: ["decision", "reason", "additionalContext"],
  sessionStart: ["additionalContext"],
  agentStop: ["decision", "reason"],
};

/** Copilot CLI 1.0.102, as seen running, 2026-11-30: it reads flat fields only and shows the person nothing. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, fields[event.native] ?? []);
  const blocks = out.decision === "block" || out.permissionDecision === "deny";
  return {
    effect:
      out.permissionDecision === "ask"
        ? "asks"
        : !blocks
          ? "goes-on"
          : event.native === "agentStop"
            ? "sent-back"
            : "blocked",
    told: String(out.permissionDecisionReason ?? out.reason ?? ""),
    context: String(out.additionalContext ?? ""),
    shown: "",
    rewrite: (out.modifiedArgs as Record<string, unknown>) ?? null,
  };
};
