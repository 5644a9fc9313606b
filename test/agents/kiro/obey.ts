import { byExit } from "../../conformance/exit.ts";
import { nothing, type Obey } from "../../conformance/outcome.ts";

/** By published live captures of IDE 1 and CLI 2 (docs, 2026-11-30): JSON is ignored, plain text may be context. */
export const obey: Obey = (reply, event) => {
  const { refused, stdout } = byExit(reply);
  const heard = event.name === "prompt" || event.name === "session-start";
  if (refused === null) return { ...nothing, context: heard ? stdout : "" };
  const blocks = event.name === "pre-tool" || event.name === "prompt";
  return blocks ? { ...nothing, effect: "blocked", told: refused } : nothing;
};
