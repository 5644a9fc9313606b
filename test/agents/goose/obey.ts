import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** Goose 1.52.0, as seen running, 2026-11-30: it knows a block with its reason and nothing else. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["decision", "reason"]);
  if (out.decision !== "block") throw new Error(`unknown decision: ${out.decision}`);
  if (event.name !== "pre-tool" && event.name !== "turn-end") return nothing;
  const effect = event.name === "turn-end" ? "sent-back" : "blocked";
  return { ...nothing, effect, told: String(out.reason) };
};
