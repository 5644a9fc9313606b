import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** 3000.2.17, by published live probes (docs, 2026-11-30). */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["decision", "reason", "hookSpecificOutput"]);
  const specific = (out.hookSpecificOutput ?? {}) as Record<string, string>;
  onlyFields(specific, ["hookEventName", "additionalContext"]);
  if (out.hookSpecificOutput !== undefined && specific.hookEventName !== event.native)
    throw new Error("wrong hookEventName");
  const context = specific.additionalContext ?? "";
  if (out.decision !== "block") return { ...nothing, context };
  const effect = event.name === "turn-end" ? "sent-back" : "blocked";
  return { ...nothing, effect, told: String(out.reason), context };
};
