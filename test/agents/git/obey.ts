import type { Obey } from "../../conformance/outcome.ts";

/** Git refuses the commit on any exit code but 0 and shows stderr to whoever commits. */
export const obey: Obey = (reply) => ({
  effect: reply.exitCode === 0 ? "goes-on" : "blocked",
  told: "",
  context: "",
  shown: reply.stderr.replace(/^holdfast: /gm, "").trimEnd(),
  rewrite: null,
});
