import { problem } from "../../core/problem.ts";
import { readSnoozes } from "../../runtime/permits.ts";
import type { Check } from "../check.ts";

/** What a person switched off for a while; easily forgotten. */
export const check: Check = {
  id: "snoozed",
  words: "nothing is snoozed",
  find: ({ holdfastHome, project, now }) =>
    readSnoozes(holdfastHome, now)
      .filter(({ root }) => root === null || root === (project?.root ?? null))
      .map(({ what, until, reason, root }) => {
        const minutes = Math.ceil((until - now) / 60_000);
        const message = `${what} is off for ${minutes} more minute${minutes === 1 ? "" : "s"}`;
        const everywhere = root === null ? " --everywhere" : "";
        const hint = `It comes back by itself; earlier: holdfast snooze ${what} off${everywhere}`;
        return problem("HF506", message, { severity: "info", cause: reason, hint });
      }),
};
