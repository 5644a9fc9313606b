import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/**
 * Cline's CLI 3.0.65, as seen running, 2026-11-30: an input that the tool turns down blocks it and lets the run go
 * on, `cancel` ends the run. `contextModification` reaches the model with the result, never with a prompt.
 */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["overrideInput", "contextModification", "cancel", "errorMessage"]);
  const text = String(out.contextModification ?? "");
  const input = (out.overrideInput ?? null) as Record<string, unknown> | null;
  if (out.cancel === true) return { ...nothing, effect: "blocked", told: String(out.errorMessage) };
  if (event.native === "submit_and_exit") {
    const turnedDown = input !== null && String(input.summary).length < 10;
    return { ...nothing, effect: turnedDown ? "sent-back" : "goes-on", told: turnedDown ? text : "" };
  }
  if (event.name !== "pre-tool" && event.name !== "post-tool") return nothing;
  if (input !== null && Object.keys(input).length === 0) return { ...nothing, effect: "blocked", told: text };
  return { ...nothing, context: text, rewrite: event.name === "pre-tool" ? input : null };
};
