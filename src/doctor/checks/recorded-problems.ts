import type { Problem } from "../../core/problem.ts";
import type { AgentSetup } from "../../core/setup.ts";
import { readProblems } from "../../runtime/problems.ts";
import type { Check } from "../check.ts";
import { ago } from "../time.ts";

const dayMs = 24 * 3_600_000;
/** Older faults are history: what caused them has likely been mended since. */
const recentDays = 7;

/** What hooks could not do: each was allowed at the time and left a record. */
export const check: Check = {
  id: "recorded-problems",
  words: "no hook had trouble in the last seven days",
  find({ env, home, now, manifest, setups }) {
    const recent = readProblems(env, home).filter(({ at }) => now - at < recentDays * dayMs);
    const latest = new Map<string, { found: Problem; at: number; times: number }>();
    for (const { at, ...found } of recent) {
      // The manifest is read anew by its own check; what was wrong with it last week no longer matters.
      if (found.code.startsWith("HF3") && found.where.file === manifest.file) continue;
      const key = `${found.code}|${found.message}|${found.where.file ?? ""}`;
      latest.set(key, { found, at, times: (latest.get(key)?.times ?? 0) + 1 });
    }
    return [...latest.values()].map(({ found, at, times }) => ({
      ...found,
      hint: found.hint === "holdfast doctor" ? nextStep(found, setups) : found.hint,
      severity: found.severity === "error" ? "warning" : found.severity,
      message: `${found.message} (${times === 1 ? "" : `${times} times, last `}${ago(now - at)})`,
      fixable: false,
    }));
  },
};

/** The record says "holdfast doctor", which is where it is being read: this is what comes after. */
function nextStep({ where, code }: Problem, setups: readonly AgentSetup[]): string {
  const setup = setups.find(({ agent, launch }) => agent.id === where.agent && launch !== null);
  const byHand = code === "HF809" ? "Nothing, if you ran `holdfast hook` by hand. Else: " : "";
  return `${byHand}holdfast prove${setup === undefined ? "" : ` ${setup.agent.id}`}   (shows whether your agent still reaches Holdfast)`;
}
