import { type Problem, problem } from "../../core/problem.ts";
import type { AgentSetup, Scope } from "../../core/setup.ts";
import type { Check, Exam } from "../check.ts";
import { configBeside, type HookTrust, hookTrust, projectTrusted } from "../hook-trust.ts";
import { installedScopes } from "../standing.ts";

/** An agent that runs hooks only once the person approved them has the approval on record. */
export const check: Check = {
  id: "trust",
  words: "every hook that needs your approval has it",
  find: (exam) =>
    exam.setups.flatMap((setup) =>
      installedScopes(setup, exam.machine)
        .filter((scope) => setup.activation(scope).kind === "trust")
        .flatMap((scope) => untrusted(setup, scope, exam)),
    ),
};

function untrusted(setup: AgentSetup, scope: Scope, { machine }: Exam): Problem[] {
  const listOf = (where: Scope) => setup.files(where, machine).filter((plan) => plan.kind === "json-list");
  const plans = listOf(scope);
  const file = plans[0]?.file;
  const userFile = listOf("user")[0]?.file;
  if (file === undefined || userFile === undefined) return [];
  const config = configBeside(userFile);
  const agent = setup.agent.id;
  const hint = setup.activation(scope).words;
  if (scope === "project" && machine.root !== null && !projectTrusted(machine.root, config)) {
    const message = `${setup.agent.title} does not trust this project, so none of its hooks run`;
    return [problem("HF204", message, { hint, where: { file: config, agent } })];
  }
  const commands = new Set(plans.flatMap((plan) => plan.ours));
  const ours = hookTrust(file, config).filter(({ command }) => commands.has(command));
  return ours.filter(({ trust }) => trust !== "trusted").map((hook) => finding(hook, file, agent, hint));
}

function finding({ event, trust }: HookTrust, file: string, agent: string, hint: string): Problem {
  const why = {
    untrusted: "is not approved yet, so it does not run",
    changed: "was changed since it was approved, so it does not run",
    off: "is switched off in its own list of hooks",
    trusted: "",
  }[trust];
  return problem("HF204", `the ${event} hook ${why}`, { hint, where: { file, agent } });
}
