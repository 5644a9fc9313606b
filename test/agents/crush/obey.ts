import { nothing, type Obey, onlyFields, onlyJson } from "../../conformance/outcome.ts";

/** 0.96 (source, 2026-11-30). An allow would skip the person's own prompt, so it must never be said. */
export const obey: Obey = (reply) => {
  const out = onlyJson(reply);
  if (out === null) return nothing;
  onlyFields(out, ["version", "decision", "reason", "context", "updated_input"]);
  if (out.version !== 1) throw new Error(`version ${out.version}`);
  if (out.decision !== undefined && out.decision !== "deny") throw new Error(`decision ${out.decision}`);
  return {
    ...nothing,
    effect: out.decision === "deny" ? "blocked" : "goes-on",
    told: String(out.reason ?? ""),
    context: String(out.context ?? ""),
    rewrite: (out.updated_input as Record<string, unknown>) ?? null,
  };
};
