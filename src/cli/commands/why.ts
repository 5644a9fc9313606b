import type { Args, Outcome, Spec } from "../command.ts";
import { run as explain } from "./explain.ts";

export const spec: Spec = {
  usage: "why",
  options: {
    agent: { type: "string", multiple: true, value: "names", help: "show these agents only" },
    everywhere: { type: "boolean", help: "in any project, not only in this one" },
  },
  positionals: 0,
  examples: ["holdfast why", "holdfast why --everywhere"],
};

/** `holdfast explain --last`, for people in a hurry. */
export function run(args: Args): Promise<Outcome> {
  const { agent, everywhere } = args.options;
  return explain({ ...args, options: { agent, everywhere, last: true } });
}
