import { type Problem, problem } from "../core/problem.ts";
import type { Machine } from "../core/setup.ts";
import type { Args } from "./command.ts";
import type { Choices } from "./wizard.ts";

/** Why these choices cannot be installed, with the command that can; null when they can. */
export function obstacleTo(choices: Choices, args: Args, { root }: Machine): Problem | null {
  const { agents, scope } = choices;
  if (agents.length === 0) {
    const hint = "Name one: holdfast install --agent claude-code";
    return problem("HF010", "no agent was found or chosen, so there is nothing to install", { hint });
  }
  if (root === null && args.options.scope === undefined && !args.interactive) {
    const hint = `For all your projects: ${commandFor(args, choices)}\n           For this folder: git init, then the same again.`;
    return problem("HF004", `${args.cwd} is in no project, so say where to install`, { hint });
  }
  if (scope !== "user" || !isCi(args.env)) return null;
  const hint = "Use --scope project, or unset CI if this is your own machine.";
  return problem("HF009", "in CI nothing is installed for all projects of a user", { hint });
}

function isCi({ CI }: Args["env"]): boolean {
  return CI !== undefined && CI !== "" && CI !== "false";
}

/** The same choices as a command that asks nothing. */
export function commandFor({ options, globals }: Args, { agents, scope }: Choices): string {
  const quoted = (value: unknown) => `'${String(value).replaceAll("'", "'\\''")}'`;
  const kept = ["test-command", "on-failure", "protect"].flatMap((name) => {
    const value = options[name];
    return value === undefined ? [] : [`--${name} ${quoted(Array.isArray(value) ? value.join(",") : value)}`];
  });
  const config = globals.config === null ? [] : [`--config ${quoted(globals.config)}`];
  const names = agents.map(({ agent }) => agent.id).join(",");
  return ["holdfast install --yes", `--agent ${names}`, `--scope ${scope}`, ...kept, ...config].join(" ");
}
