import { type Problem, problem } from "../../core/problem.ts";
import type { Check, Exam } from "../check.ts";

/** The one variable that switches Holdfast off, for whatever is started from here. */
export const check: Check = {
  id: "environment",
  words: "nothing in this environment switches Holdfast off",
  find: switchedOffHere,
};

/** What makes every other finding beside the point: said before all of them. */
export function switchedOffHere({ env }: Pick<Exam, "env">): Problem[] {
  if (env.HOLDFAST !== "0") return [];
  const message = "HOLDFAST=0 is set in this environment: everything is off for whatever is started here";
  return [
    problem("HF205", message, { hint: "unset HOLDFAST, where you start your agents and where you commit" }),
  ];
}
