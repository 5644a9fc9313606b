import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../../core/problem.ts";
import type { AgentSetup, FilePlan } from "../../core/setup.ts";
import type { Check, Exam } from "../check.ts";
import { installedScopes } from "../standing.ts";

/** Commits pass through the guard, wherever git runs its hooks from. */
export const check: Check = {
  id: "git-hook",
  words: "commits pass through the guard",
  find(exam) {
    if (exam.project === null || exam.project.kind === "folder") return [];
    return exam.setups
      .filter(({ agent }) => Object.values(agent.events).includes("pre-commit"))
      .flatMap((setup) => inspect(setup, exam));
  },
};

function inspect(setup: AgentSetup, { machine, ledger }: Exam): Problem[] {
  const agent = setup.agent.id;
  const hints = setup.files("project", machine).filter((plan) => plan.kind === "hint");
  const byHand = hints.flatMap((hint) => (hasLine(hint) ? [] : [lineMissing(hint, agent)]));
  if (hints.length > 0) return byHand;
  const installed = installedScopes(setup, machine).length > 0;
  const recorded = (ledger?.files ?? []).find(
    ({ root, edits }) =>
      root === machine.root && edits.some(({ owners }) => owners.some((one) => one.agent === agent)),
  );
  if (installed) return otherDirectory(recorded?.file, machine.gitHooks?.dir, agent);
  const others = managersIn(machine.root);
  const by = others.length === 0 ? "" : ` (${others.join(", ")} is here)`;
  const message = `commits are not checked${by}`;
  const hint = `holdfast install --agent ${agent}`;
  return recorded === undefined
    ? [problem("HF602", message, { severity: "info", hint, where: { agent } })]
    : otherDirectory(recorded.file, machine.gitHooks?.dir, agent);
}

/** A later change of `core.hooksPath` leaves our hook in a directory git no longer looks at. */
function otherDirectory(file: string | undefined, dir: string | undefined, agent: string): Problem[] {
  if (file === undefined || dir === undefined || file.startsWith(`${dir}/`)) return [];
  const message = `git now runs hooks from ${dir}, where ours is not`;
  return [problem("HF601", message, { hint: `holdfast install --agent ${agent}`, where: { file, agent } })];
}

type Hint = Extract<FilePlan, { kind: "hint" }>;

/** True once the person has added the line that a hint asks for. */
export function hasLine({ file }: Pick<Hint, "file">): boolean {
  try {
    return /^[^#\n]*holdfast hook git pre-commit/m.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}

function lineMissing({ file, message }: Hint, agent: string): Problem {
  const line = message.trim().split("\n").at(-1)?.trim() ?? "";
  const hint = `Add this line to it: ${line}`;
  const words = "git runs hooks from inside the repository; commits are checked once a line is added there";
  return problem("HF604", words, { severity: "info", hint, where: { file, agent } });
}

function managersIn(root: string | null): string[] {
  if (root === null) return [];
  const marks = {
    husky: [".husky"],
    lefthook: ["lefthook.yml", "lefthook.yaml", ".lefthook.yml"],
    "pre-commit": [".pre-commit-config.yaml"],
  };
  return Object.entries(marks).flatMap(([name, files]) =>
    files.some((file) => existsSync(join(root, file))) ? [name] : [],
  );
}
