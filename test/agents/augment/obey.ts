import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** Auggie 0.36.0, as seen running, 2026-11-30: an ask runs the tool, and blocks count only before a tool. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["hookSpecificOutput", "systemMessage"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  const isPre = event.name === "pre-tool";
  onlyFields(specific, [
    "hookEventName",
    ...(isPre ? ["permissionDecision", "permissionDecisionReason", "updatedInput"] : ["additionalContext"]),
  ]);
  const denies = isPre && specific.permissionDecision === "deny";
  return {
    effect: denies ? "blocked" : "goes-on",
    told: denies ? (specific.permissionDecisionReason ?? "") : "",
    context: event.name === "post-tool" ? (specific.additionalContext ?? "") : "",
    shown: String(out.systemMessage ?? ""),
    rewrite: (specific.updatedInput as unknown as Record<string, unknown>) ?? null,
  };
};
