import { existsSync, readFileSync } from "node:fs";
import { type Problem, ProblemError, problem } from "../core/problem.ts";
import { defaultSettings, type Settings } from "../core/settings.ts";
import type { AgentSetup, Machine, Scope } from "../core/setup.ts";
import { thrownSwitches } from "../doctor/checks/off-switches.ts";
import { programMissing } from "../doctor/checks/test-command.ts";
import { adoptMoved } from "../install/adopt.ts";
import { isProblem, readTarget } from "../install/disk.ts";
import { isLedgerProblem, type Ledger, readLedger } from "../install/ledger.ts";
import { type InstallPlan, itemsFor, type PlanItem, planInstall } from "../install/plan.ts";
import { manifestItem, projectItems } from "../install/project.ts";
import { type Answers, editManifest } from "../manifest/edit.ts";
import { isCommit } from "./effect.ts";
import { type Choices, scopeIn } from "./wizard.ts";

interface Placed {
  readonly setup: AgentSetup;
  readonly scope: Scope;
}

export interface Prepared {
  readonly plan: InstallPlan;
  /** Each agent that is installed, with the scope it goes to. */
  readonly wanted: readonly Placed[];
  /** Agents of which a file is left alone. Nothing of theirs is written: half an install guards nothing. */
  readonly refused: readonly Placed[];
  /** Agents that are installed and yet run no hook, for a reason that is among the warnings. */
  readonly powerless: readonly Placed[];
  /** Agents that have no place in the chosen scope. */
  readonly left: readonly AgentSetup[];
}

/** Throws when the record of what was written is damaged: without it nothing may be changed. */
export function ledgerOf(holdfastHome: string, machine: Machine): Ledger {
  const ledger = readLedger(holdfastHome);
  if (isLedgerProblem(ledger)) throw new ProblemError(ledger);
  return adoptMoved(ledger, machine).ledger;
}

/** Works out every change that the choices mean. Nothing is written. */
export function prepare(
  choices: Choices,
  machine: Machine,
  ledger: Ledger,
  overwrite: ReadonlySet<string> = new Set(),
): Prepared {
  const placed = choices.agents.map((setup) => ({ setup, scope: placeOf(setup, choices.scope, machine) }));
  const asked = placed.flatMap(({ setup, scope }) => (scope === null ? [] : [{ setup, scope }]));
  const left = placed.flatMap(({ setup, scope }) => (scope === null ? [setup] : []));
  const planFor = (wanted: readonly Placed[]) =>
    planInstall({ items: itemsOf(wanted, choices, machine), machine, ledger, overwrite });
  const first = planFor(asked);
  const isRefused = ({ setup }: Placed) => first.refusedOwners.includes(setup.agent.id);
  const wanted = asked.filter((one) => !isRefused(one));
  const refused = asked.filter(isRefused);
  const plan = refused.length === 0 ? first : { ...planFor(wanted), refused: first.refused };
  const warnings = [
    ...plan.warnings,
    ...sharedHooks(wanted, machine),
    ...switchedOff(wanted, machine),
    ...programMissing(choices.answers.tests?.command ?? null, machine),
  ];
  const powerless = wanted.filter((one) => warnings.some((found) => silences(found, one, machine)));
  return { plan: { ...plan, warnings }, wanted, refused, powerless, left };
}

/** True for a warning that says that none of the agent's hooks can run: its file is dropped, or they are off. */
function silences({ code, where }: Problem, { setup, scope }: Placed, machine: Machine): boolean {
  if (code === "HF203") return where.agent === setup.agent.id;
  return code === "HF111" && setup.files(scope, machine).some(({ file }) => file === where.file);
}

/** What is about to be written would not run: said at once, and again by `doctor`. */
function switchedOff(wanted: readonly Placed[], machine: Machine): Problem[] {
  const thrown = wanted.flatMap(({ setup, scope }) => thrownSwitches(setup, [scope], machine));
  return thrown.map((found) => ({ ...found, severity: "warning" }));
}

/** A hooks folder of the person or the machine serves repositories that nobody asked about. */
function sharedHooks(wanted: readonly Placed[], { gitHooks }: Machine): Problem[] {
  const agent = wanted.find(({ setup }) => isCommit(setup.agent))?.setup.agent.id;
  if (agent === undefined || gitHooks?.shared !== true) return [];
  const message =
    "core.hooksPath leads out of this repository: the hook will run in every repository that uses this folder";
  const hint = "For this repository only: git config core.hooksPath .git/hooks, then install again.";
  return [problem("HF606", message, { severity: "warning", hint, where: { file: gitHooks.dir, agent } })];
}

/** An agent without a single file there is in no scope: git outside a repository. */
function placeOf(setup: AgentSetup, chosen: Scope, machine: Machine): Scope | null {
  const scope = scopeIn(setup, chosen);
  return scope === null || setup.files(scope, machine).length === 0 ? null : scope;
}

/** With no agent there is nothing to install: a project's own files come only beside one. */
function itemsOf(wanted: readonly Placed[], choices: Choices, machine: Machine): PlanItem[] {
  if (wanted.length === 0) return [];
  return [
    ...itemsFor(wanted, machine),
    ...ownItems(choices.scope, machine),
    ...manifestItems(choices, machine),
  ];
}

/** What a project needs besides the agents' files. Outside a repository there is nobody to hide it from. */
export function ownItems(scope: Scope, { root, gitHooks }: Machine): PlanItem[] {
  return scope === "project" && root !== null && gitHooks !== null ? projectItems(root, scope) : [];
}

/**
 * The manifest: edited where one is; for everyone in a project written anew, so that the team sees what is
 * guarded; else written only when something differs from what is in force without it.
 */
function manifestItems({ scope, manifest: file, answers }: Choices, machine: Machine): PlanItem[] {
  const there = readTarget(file);
  // A folder or a link that leads nowhere is no manifest to add to, and none to write over.
  if (isProblem(there) && ["HF116", "HF117"].includes(there.code)) throw new ProblemError(there);
  const before = existsSync(file) ? readFileSync(file, "utf8") : null;
  if (before === null && scope !== "project" && !differs(answers, defaultSettings)) return [];
  const edited = editManifest(before, answers, file);
  if (edited.problem !== null) throw new ProblemError(edited.problem);
  if (edited.text === before) return [];
  return [manifestItem(file, edited.text, before, scope === "user" ? null : machine.root)];
}

function differs({ tests, protect }: Answers, settings: Settings): boolean {
  const { command, onFailure } = settings.tests;
  return (
    (tests?.command ?? command) !== command ||
    (tests?.on_failure ?? onFailure) !== onFailure ||
    JSON.stringify(protect?.paths ?? settings.protect.paths) !== JSON.stringify(settings.protect.paths)
  );
}
