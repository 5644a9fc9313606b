import type { Problem } from "../core/problem.ts";
import type { AgentSetup, FilePlan, Machine, Scope } from "../core/setup.ts";
import { shortPath, unifiedDiff } from "./diff.ts";
import { isProblem, readTarget, type Target } from "./disk.ts";
import { isInsertion, type Ledger, type LedgerFile, type Owner } from "./ledger.ts";
import { planSpans } from "./plan-spans.ts";
import { planWhole } from "./plan-whole.ts";
import type { Step } from "./transaction.ts";

/** One wish for one file, and for whom. */
export interface PlanItem {
  readonly owner: Owner;
  /** Project the file belongs to; null for files of the person's home. */
  readonly root: string | null;
  readonly plan: FilePlan;
}

export interface InstallRequest {
  readonly items: readonly PlanItem[];
  readonly machine: Machine;
  readonly ledger: Ledger;
  /** Managed files that were edited by hand and that the person agreed to replace, by path. */
  readonly overwrite?: ReadonlySet<string>;
}

/** A ledger entry without what only the writing itself can tell. */
type NewRecord = Omit<LedgerFile, "createdDirs" | "when" | "version">;

/** The change to one file: what is written, shown, and remembered. */
export interface FileChange {
  readonly file: string;
  readonly owners: readonly Owner[];
  /** Null when the file stays as it is and only the ledger learns of another owner. */
  readonly step: Step | null;
  readonly record: NewRecord;
  /** The person's bytes, to be kept before they change; null when there are none, or only ours. */
  readonly keep: Buffer | null;
  /** Unified diff, empty when nothing is written. */
  readonly diff: string;
  /** A sentence where the diff does not say it all, e.g. that a script is kept under another name. */
  readonly note: string;
}

interface Hint {
  readonly agent: string;
  readonly file: string;
  readonly message: string;
}

export interface InstallPlan {
  readonly changes: readonly FileChange[];
  /** Files that are as they should be. */
  readonly unchanged: readonly string[];
  /** Files that are left alone, each with its reason. The others are still planned. */
  readonly refused: readonly Problem[];
  /** Everyone who wanted one of them. */
  readonly refusedOwners: readonly string[];
  readonly warnings: readonly Problem[];
  readonly hints: readonly Hint[];
}

/** What one editor made of one file. */
export type FileOutcome =
  | {
      readonly kind: "change";
      readonly change: Omit<FileChange, "diff">;
      readonly warnings: readonly Problem[];
    }
  | { readonly kind: "same"; readonly warnings: readonly Problem[] }
  | { readonly kind: "refused"; readonly problem: Problem };

/** The wishes of agents in their scopes. A scope that an agent does not have gives none. */
export function itemsFor(
  wanted: readonly { readonly setup: AgentSetup; readonly scope: Scope }[],
  machine: Machine,
): PlanItem[] {
  return wanted.flatMap(({ setup, scope }) => {
    if (!setup.scopes.includes(scope)) return [];
    const root = scope === "user" ? null : machine.root;
    const owner = { agent: setup.agent.id, scope };
    return setup.files(scope, machine).map((plan) => {
      const shared = plan.kind === "hook-script" && root !== null && machine.gitHooks?.shared === true;
      return { owner: shared ? { ...owner, root } : owner, root, plan };
    });
  });
}

/** Works out every change without writing anything. Wishes for one file become one change. */
export function planInstall(request: InstallRequest): InstallPlan {
  const changes: FileChange[] = [];
  const unchanged: string[] = [];
  const refused: Problem[] = [];
  const refusedOwners = new Set<string>();
  const warnings: Problem[] = [];
  const hints: Hint[] = [];
  for (const item of request.items) {
    const { plan, owner } = item;
    if (plan.kind === "hint") hints.push({ agent: owner.agent, file: plan.file, message: plan.message });
  }
  for (const group of groupByFile(request.items)) {
    const outcome = isProblem(group.target)
      ? ({ kind: "refused", problem: group.target } as const)
      : planFile(group.items, group.target, request);
    const named = (found: Problem) => ({ ...found, where: { ...found.where, agent: group.agent } });
    if (outcome.kind === "refused") {
      refused.push(named(outcome.problem));
      for (const { owner } of group.items) refusedOwners.add(owner.agent);
      continue;
    }
    warnings.push(...outcome.warnings.map(named));
    if (outcome.kind === "same" || outcome.change.step === null) unchanged.push(group.file);
    if (outcome.kind === "change") changes.push(withDiff(outcome.change, request.machine));
  }
  return { changes, unchanged, refused, refusedOwners: [...refusedOwners], warnings, hints };
}

interface Group {
  readonly file: string;
  readonly agent: string;
  readonly target: Target | Problem;
  readonly items: PlanItem[];
}

/** Two paths that lead to the same file through symlinks are one file. */
export function groupByFile(items: readonly PlanItem[]): Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    if (item.plan.kind === "hint") continue;
    const { file } = item.plan;
    const target = readTarget(file);
    const key = isProblem(target) ? file : target.real;
    const group = groups.get(key) ?? { file, agent: item.owner.agent, target, items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function planFile(items: readonly PlanItem[], target: Target, request: InstallRequest): FileOutcome {
  const prior = request.ledger.files.find((entry) => entry.real === target.real) ?? null;
  const whole = items.find((item) => !isInsertion(item.plan.kind));
  return whole === undefined
    ? planSpans(items, target, prior, request.machine)
    : planWhole(items, target, prior, request);
}

function withDiff(change: Omit<FileChange, "diff">, machine: Machine): FileChange {
  const { step } = change;
  if (step === null) return { ...change, diff: "" };
  const before = step.aside === null ? step.before : null;
  return {
    ...change,
    diff: unifiedDiff(shortPath(change.file, machine.root, machine.home), before, step.after),
  };
}
