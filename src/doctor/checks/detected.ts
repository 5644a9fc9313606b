import { problem } from "../../core/problem.ts";
import type { Check } from "../check.ts";
import { installedScopes } from "../standing.ts";

/** Every agent on this machine is guarded, or was left out on purpose. */
export const check: Check = {
  id: "detected",
  words: "every agent found on this machine is guarded",
  find: ({ setups, machine, present }) =>
    setups
      .filter(
        ({ agent }) => present.includes(agent.id) && !Object.values(agent.events).includes("pre-commit"),
      )
      .filter((setup) => installedScopes(setup, machine).length === 0)
      .map(({ agent }) =>
        problem("HF201", `${agent.title} is on this machine but not guarded here`, {
          severity: "info",
          hint: `holdfast install --agent ${agent.id}`,
          where: { agent: agent.id },
        }),
      ),
};
