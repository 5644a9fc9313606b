import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** agy 1.1.8, by published live checks (docs, 2026-11-30): silence or a field too many and the person is asked. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) throw new Error("silence counts as a failure");
  if (event.name === "pre-tool") {
    onlyFields(out, ["decision", "reason"]);
    if (out.decision === "deny") return { ...nothing, effect: "blocked", told: String(out.reason) };
    if (out.decision === "force_ask") return { ...nothing, effect: "asks", told: String(out.reason) };
    if (out.decision !== "allow") throw new Error(`decision ${out.decision}`);
    return nothing;
  }
  onlyFields(
    out,
    event.name === "turn-end" ? ["decision", "reason"] : event.name === "prompt" ? ["injectSteps"] : [],
  );
  if (out.decision === "continue") return { ...nothing, effect: "sent-back", told: String(out.reason) };
  const steps = (out.injectSteps ?? []) as { ephemeralMessage: string }[];
  return { ...nothing, context: steps.map((step) => step.ephemeralMessage).join("\n\n") };
};
