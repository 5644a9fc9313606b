import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** What its answer parser takes, by event (source: main of autumn 2026, 2026-11-30). */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  if (event.name === "pre-tool") {
    onlyFields(out, out.decision === "block" ? ["decision", "reason"] : ["action", "args"]);
    if (out.decision === "block") return { ...nothing, effect: "blocked", told: String(out.reason) };
    return { ...nothing, rewrite: out.action === "modify" ? (out.args as Record<string, unknown>) : null };
  }
  if (event.name === "turn-end") {
    onlyFields(out, ["action", "message"]);
    return out.action === "continue"
      ? { ...nothing, effect: "sent-back", told: String(out.message) }
      : nothing;
  }
  onlyFields(out, event.name === "prompt" ? ["context"] : []);
  return { ...nothing, context: String(out.context ?? "") };
};
