import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** What Grok 1.0.41 reads of a hook, by event (ran and docs, 2026-11-30). Other events only watch. */
const fields: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ["permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
  PostToolUse: ["additionalContext"],
};

/**
 * Grok 1.0.41. An ask is a fault here: without a terminal it runs the tool. So is context at a turn end: it
 * would keep the agent working.
 */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "decision", "reason"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  if (out.hookSpecificOutput !== undefined && specific.hookEventName !== event.native)
    throw new Error("wrong hookEventName");
  onlyFields(specific, ["hookEventName", ...(fields[event.native] ?? [])]);
  // The field of the two that decides where both are there.
  const decision = specific.permissionDecision ?? out.decision;
  if (decision === "ask") throw new Error("an ask would run the tool");
  const blocks = decision === "deny" || decision === "block";
  return {
    effect: !blocks ? "goes-on" : event.native === "Stop" ? "sent-back" : "blocked",
    told: String(specific.permissionDecisionReason ?? out.reason ?? ""),
    context: specific.additionalContext ?? "",
    shown: "",
    rewrite: (specific.updatedInput as unknown as Record<string, unknown>) ?? null,
  };
};
