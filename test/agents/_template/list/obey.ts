import { nothing, type Obey, onlyFields, onlyJson } from "../../../conformance/outcome.ts";

/** What Newcomer does with an answer (guess, 2000-01-01). A word it does not know is a fault of ours. */
export const obey: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["action", "reason"]);
  const told = String(out.reason);
  if (out.action === "reject") return { ...nothing, effect: "blocked", told };
  if (out.action === "continue" && event.name === "turn-end")
    return { ...nothing, effect: "sent-back", told };
  throw new Error(`action ${out.action}`);
};
