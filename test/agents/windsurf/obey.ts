import { byExit } from "../../conformance/exit.ts";
import { nothing, type Obey } from "../../conformance/outcome.ts";

/** By the vendor's documentation (docs, 2026-11-30): exit code 2 blocks before an action, output is shown. */
export const obey: Obey = (reply, event) => {
  const { refused, stdout } = byExit(reply);
  if (refused === null) return { ...nothing, shown: stdout };
  return event.native.startsWith("pre_") ? { ...nothing, effect: "blocked", told: refused } : nothing;
};
