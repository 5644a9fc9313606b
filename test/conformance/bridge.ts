import { nothing, type Obey, onlyFields, onlyJson } from "./outcome.ts";

/** What a bridge does with an answer; the bridge itself is driven in its own test and in the lab. */
export const obeyBridge: Obey = (reply, event) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["decision", "reason", "context", "messages", "rewrite"]);
  const refused = event.name === "pre-tool" && (out.decision === "deny" || out.decision === "ask");
  const sentBack = event.name === "turn-end" && out.decision === "continue";
  const asks = refused && out.decision === "ask";
  return {
    effect: asks ? "asks" : refused ? "blocked" : sentBack ? "sent-back" : "goes-on",
    told: refused || sentBack ? String(out.reason) : "",
    context: (out.context as string[]).join("\n\n"),
    shown: (out.messages as string[]).join("\n"),
    rewrite: out.rewrite as Record<string, unknown> | null,
  };
};
