import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Problem, problem } from "../../core/problem.ts";
import type { AgentSetup } from "../../core/setup.ts";
import { ownershipOf } from "../../install/edit/own-file.ts";
import type { OwnedEdit } from "../../install/ledger.ts";
import { realPath } from "../../runtime/files.ts";
import type { Check, Exam } from "../check.ts";
import { type Hint, hasLine, hintsOf, lineFaults, lineOf } from "../hand-line.ts";
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

function inspect(setup: AgentSetup, exam: Exam): Problem[] {
  const { machine } = exam;
  const agent = setup.agent.id;
  const hints = hintsOf(setup, machine);
  if (hints.length > 0) return hints.flatMap((hint) => byHand(hint, agent, exam));
  if (installedScopes(setup, machine).length > 0) return orphaned(agent, exam);
  const hint = `holdfast install --agent ${agent}`;
  const left = leftHook(agent, exam);
  if (left !== null) return [switchedOff(left, agent, exam, hint)];
  const others = managersIn(machine.root);
  const by = others.length === 0 ? "" : ` (${others.join(", ")} is here)`;
  return [problem("HF602", `commits are not checked${by}`, { severity: "info", hint, where: { agent } })];
}

function byHand(hint: Hint, agent: string, exam: Exam): Problem[] {
  if (hasLine(hint)) return lineFaults(hint, agent, exam.machine);
  const { file } = hint;
  const add = `Add this line to ${file}: ${lineOf(hint)}`;
  const left = leftHook(agent, exam);
  if (left !== null) return [switchedOff(left, agent, exam, add)];
  const words = "git runs hooks from inside the repository; commits are checked once a line is added there";
  return [problem("HF604", words, { severity: "info", hint: add, where: { file, agent } })];
}

/** In a folder of several repositories a hook outlives those that asked for it. */
function orphaned(agent: string, { machine, ledger }: Exam): Problem[] {
  const { gitHooks } = machine;
  if (gitHooks?.shared !== true) return [];
  const entry = ledger?.files.find(({ file }) => dirname(file) === gitHooks.dir);
  const roots = (entry?.edits ?? []).flatMap(({ owners }) => owners.map((owner) => owner.root ?? null));
  const [root] = roots;
  if (entry === undefined || !root || roots.some((one) => one === null || existsSync(one))) return [];
  const message = `this hook was installed for ${root}, which is gone; it still runs wherever this folder is used`;
  const hint = `To keep it: holdfast install --agent ${agent}. To take it out: holdfast uninstall --agent ${agent}`;
  return [problem("HF607", message, { severity: "info", hint, where: { file: entry.file, agent } })];
}

/** A later change of `core.hooksPath` leaves our hook in a directory git no longer looks at. */
function switchedOff(file: string, agent: string, { machine }: Exam, hint: string): Problem {
  const message = `git now runs hooks from ${machine.gitHooks?.dir}, where ours is not`;
  return problem("HF601", message, { hint, where: { file, agent } });
}

/** A hook of ours where git does not look: on record for this project, or in git's own folder. */
function leftHook(agent: string, { machine, ledger, project }: Exam): string | null {
  const { gitHooks, root } = machine;
  if (gitHooks === null) return null;
  const recorded = (ledger?.files ?? [])
    .filter((entry) => entry.root === root)
    .filter(({ edits }) => edits.some((edit) => isHookOf(edit, agent)))
    .map(({ file }) => file);
  const usual = project?.commonDir ? join(project.commonDir, "hooks", "pre-commit") : null;
  const standing = usual !== null && isOurs(usual) ? [usual] : [];
  const used = realPath(gitHooks.dir);
  return [...recorded, ...standing].find((file) => realPath(dirname(file)) !== used) ?? null;
}

function isHookOf({ kind, owners }: OwnedEdit, agent: string): boolean {
  return kind === "hook-script" && owners.some((one) => one.agent === agent);
}

function isOurs(file: string): boolean {
  try {
    return ownershipOf(readFileSync(file, "utf8")) !== "foreign";
  } catch {
    return false;
  }
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
