import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Problem } from "../core/problem.ts";
import { isRealDir } from "../runtime/files.ts";
import { type Applied, type Site, underLock } from "./apply.ts";
import { isProblem, removeEmpty } from "./disk.ts";
import { type Ledger, type LedgerFile, type OwnedEdit, type Owner, withFile, writeLedger } from "./ledger.ts";
import { groupByFile, type PlanItem } from "./plan.ts";
import {
  type FileRemoval,
  type RemovalContext,
  type RemovalResult,
  removeKnown,
  removeUnknown,
} from "./remove.ts";
import { runSteps } from "./transaction.ts";

export interface UninstallRequest extends RemovalContext {
  readonly ledger: Ledger;
  /** Which owners leave. What only `holdfast` itself owns goes with the last agent of its project. */
  readonly leaving: (owner: Owner, root: string | null) => boolean;
  /** Plans of today, to find what is ours in files the ledger does not know. */
  readonly items: readonly PlanItem[];
  /** Leave `holdfast.yaml` in place. */
  readonly keepManifest?: boolean;
}

export interface UninstallPlan {
  readonly removals: readonly FileRemoval[];
  /** Files that keep what is ours in them, each with the reason. */
  readonly refused: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** Run state of projects nothing of ours remains in. */
  readonly stateFolders: readonly string[];
}

/** Works out what uninstall does, without writing anything. */
export function planUninstall(request: UninstallRequest): UninstallPlan {
  const removals: FileRemoval[] = [];
  const refused: Problem[] = [];
  const warnings: Problem[] = [];
  const collect = (result: RemovalResult) => {
    if ("refused" in result) return void refused.push(result.refused);
    removals.push(result.removal);
    warnings.push(...result.warnings);
  };
  const groups = groupByFile(request.items);
  for (const entry of request.ledger.files) {
    const division = divide(entry, request, rootsOf(entry, groups));
    if (division !== null) collect(removeKnown(entry, division.leaving, division.staying, request));
  }
  const known = new Set(request.ledger.files.map((entry) => entry.real));
  for (const { items, target } of groups) {
    if (isProblem(target) || known.has(target.real)) continue;
    const result = removeUnknown(items, target, request);
    if (result !== null) collect(result);
  }
  return { removals, refused, warnings, stateFolders: stateFolders(request.ledger, removals) };
}

/** Carries out an uninstall plan, all of it or nothing. Running it again finds nothing to do. */
export function applyUninstall(plan: UninstallPlan, site: Site): Applied {
  return underLock(site, (ledger) => {
    const steps = plan.removals.flatMap((removal) => (removal.step === null ? [] : [removal.step]));
    const after = plan.removals.reduce(forget, ledger);
    const failed = runSteps(steps, () => writeLedger(site.holdfastHome, after));
    if (failed !== null) return { written: [], problem: failed };
    for (const folder of plan.stateFolders) rmSync(folder, { recursive: true, force: true });
    const gone = plan.removals
      .filter(({ level, entry }) => level === "gone" && entry?.unfinished !== true)
      .map(({ entry }) => entry?.real);
    writeLedger(site.holdfastHome, tidyFolders(ledger, after, new Set(gone)));
    return { written: steps.map((step) => step.file), problem: null };
  });
}

interface Division {
  readonly leaving: readonly OwnedEdit[];
  readonly staying: readonly OwnedEdit[];
}

/**
 * Divides a file's edits into those that leave and those that stay. An edit leaves with its last owner; what
 * Holdfast itself owns leaves with the last agent of its project. Null when nothing changes.
 */
function divide(
  entry: LedgerFile,
  request: UninstallRequest,
  roots: readonly (string | null)[],
): Division | null {
  const leaves = (owner: Owner) =>
    rootsFor(owner, entry, request, roots).some((root) => request.leaving(owner, root));
  const remaining = (edit: OwnedEdit) => {
    const stay = edit.owners.filter((owner) => owner.agent === holdfastItself || !leaves(owner));
    // A repository that is gone can never uninstall, so it holds back nobody who does.
    return stay.length === edit.owners.length ? stay : stay.filter(({ root }) => !root || existsSync(root));
  };
  const agentsOf = (owners: readonly Owner[]) =>
    owners.filter((owner) => owner.agent !== holdfastItself).length;
  const here = request.ledger.files.flatMap((other) =>
    other.edits.flatMap(({ owners }) =>
      owners.filter(({ root }) => (root === undefined ? other.root : root) === entry.root),
    ),
  );
  const agents = agentsOf(here);
  const agentsStay = agentsOf(here.filter((owner) => !leaves(owner)));
  const own = entry.edits.flatMap(({ owners }) => owners.filter(({ agent }) => agent === holdfastItself));
  // With no agent there, e.g. when git's hook was left to be added by hand, it leaves when it is asked to.
  const lastLeft = agentsStay === 0 && (agents > 0 || own.some(leaves));
  const leaving: OwnedEdit[] = [];
  const staying: OwnedEdit[] = [];
  for (const edit of entry.edits) {
    const owners = remaining(edit);
    const keep = edit.kind === "text" && request.keepManifest === true;
    const orphaned = lastLeft && agentsOf(owners) === 0;
    if (!keep && (owners.length === 0 || orphaned)) leaving.push(edit);
    else staying.push(keep ? edit : { ...edit, owners });
  }
  const changed = leaving.length > 0 || JSON.stringify(staying) !== JSON.stringify(entry.edits);
  return changed ? { leaving, staying } : null;
}

const holdfastItself = "holdfast";

/** A repository that is gone cannot uninstall: any other that uses the same file speaks for it. */
function rootsFor(
  { root }: Owner,
  entry: LedgerFile,
  { items, machine }: UninstallRequest,
  roots: readonly (string | null)[],
): readonly (string | null)[] {
  if (root === undefined) return roots;
  const heirs = existsSync(root) || !items.some(({ plan }) => plan.file === entry.file) ? [] : [machine.root];
  return [root, ...heirs];
}

/**
 * The project that wrote the file, and those that want it too: worktrees share their git hooks. Other repositories
 * that run the same hooks do not: each is an owner of its own.
 */
function rootsOf(entry: LedgerFile, groups: ReturnType<typeof groupByFile>): (string | null)[] {
  const same = groups.filter(({ target }) => !isProblem(target) && target.real === entry.real);
  const items = same.flatMap((group) => group.items).filter(({ owner }) => owner.root === undefined);
  return [entry.root, ...items.map((item) => item.root)];
}

/** The run state of each project whose last entry goes. */
function stateFolders(ledger: Ledger, removals: readonly FileRemoval[]): string[] {
  const gone = new Set(
    removals
      .filter(({ entry, remains }) => remains === null || remains.root !== entry?.root)
      .map((removal) => removal.entry),
  );
  const roots = new Set(ledger.files.map((entry) => entry.root).filter((root) => root !== null));
  return [...roots]
    .filter((root) => ledger.files.every((entry) => entry.root !== root || gone.has(entry)))
    .map((root) => join(root, ".holdfast", "state"))
    .filter(isRealDir);
}

function forget(ledger: Ledger, { entry, remains }: FileRemoval): Ledger {
  return entry === null ? ledger : withFile(ledger, entry.real, remains);
}

/**
 * Removes folders created for files that are taken out; one that others of ours still use is left to the last. Where
 * the file had `gone` before, the folder of that name may be one that somebody made since.
 */
function tidyFolders(before: Ledger, after: Ledger, gone: ReadonlySet<string | undefined>): Ledger {
  const stay = new Set(after.files.map((entry) => entry.real));
  const leaving = before.files.filter(({ real }) => !stay.has(real) && !gone.has(real));
  const dirs = leaving.flatMap((entry) => entry.createdDirs);
  const removed = new Set(removeEmpty(dirs));
  const left = dirs.filter((dir) => !removed.has(dir));
  const files = after.files.map((entry) => {
    const inherited = left.filter((dir) => `${dirname(entry.real)}/`.startsWith(`${dir}/`));
    return { ...entry, createdDirs: [...new Set([...inherited, ...entry.createdDirs])] };
  });
  return { ...after, files };
}
