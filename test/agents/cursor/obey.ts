import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** Fields by event, and what a value of a wrong type does: it blocks (source: @cursor/sdk 1.0.32, 2026-11-30). */
const fields: Readonly<Record<string, readonly string[]>> = {
  beforeShellExecution: ["permission", "user_message", "agent_message"],
  beforeSubmitPrompt: ["continue", "user_message", "additional_context"],
  sessionStart: ["additional_context"],
  postToolUse: ["additional_context"],
  stop: ["followup_message"],
};

/** The hook runtime in the vendor's SDK package: the model is told the `user_message` of a refusal. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, fields[event.native] ?? []);
  for (const [key, value] of Object.entries(out)) {
    if (typeof value !== (key === "continue" ? "boolean" : "string"))
      throw new Error(`${key} of a wrong type`);
  }
  const context = String(out.additional_context ?? "");
  if (out.permission === "ask")
    return { ...nothing, effect: "asks", told: String(out.user_message), context };
  if (out.permission === "deny" || out.continue === false) {
    return { ...nothing, effect: "blocked", told: String(out.user_message), context };
  }
  const followup = out.followup_message;
  return followup === undefined
    ? { ...nothing, context }
    : { ...nothing, effect: "sent-back", told: String(followup), context };
};
