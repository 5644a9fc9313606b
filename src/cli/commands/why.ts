import type { Args, Outcome, Spec } from "../command.ts";
import { run as explain } from "./explain.ts";

export const spec: Spec = {
  usage: "why",
  options: { agent: { type: "string", multiple: true, value: "names", help: "show these agents only" } },
  positionals: 0,
  examples: ["holdfast why"],
};

/** `holdfast explain --last`, for people in a hurry. */
export function run(args: Args): Promise<Outcome> {
  return explain({ ...args, options: { agent: args.options.agent, last: true } });
}
