import { join } from "node:path";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import type { Machine } from "../core/setup.ts";
import { takeLock } from "../runtime/lock.ts";
import { adoptMoved } from "./adopt.ts";
import { sha256, takeBackup } from "./backup.ts";
import { missingParents } from "./disk.ts";
import {
  homeInsideProject,
  isLedgerProblem,
  type Ledger,
  type LedgerFile,
  readLedger,
  withFile,
  writeLedger,
} from "./ledger.ts";
import type { FileChange, InstallPlan } from "./plan.ts";
import { type CreatedDirs, runSteps } from "./transaction.ts";

/** Where and as what a run writes. */
export interface Site {
  /** Folder of the ledger and the backups, outside any project. */
  readonly holdfastHome: string;
  readonly machine: Machine;
  /** Version of Holdfast, noted beside everything it writes. */
  readonly version: string;
  readonly now: Date;
}

export interface Applied {
  /** Files written, as the agents name them. */
  readonly written: readonly string[];
  /** Why nothing was written; null after success. */
  readonly problem: Problem | null;
}

/** How long to wait for another run, milliseconds. */
const lockWaitMs = 3_000;

/**
 * Writes a plan, all of it or nothing: backups first, then the ledger, then the files. The ledger comes before
 * the files so that a run that is killed between them leaves no file that uninstall does not know.
 */
export function applyInstall(plan: InstallPlan, site: Site): Applied {
  return underLock(site, (ledger) => {
    const steps = plan.changes.flatMap((change) => (change.step === null ? [] : [change.step]));
    for (const change of plan.changes) keepBackup(change, site);
    const missing = new Map(steps.map(({ real }) => [real, missingParents(real)]));
    writeLedger(site.holdfastHome, remembered(ledger, plan, site, missing, true));
    const failed = runSteps(steps, (created) => {
      writeLedger(site.holdfastHome, finished(remembered(ledger, plan, site, created, false)));
    });
    if (failed !== null) writeLedger(site.holdfastHome, ledger);
    return { written: failed === null ? steps.map((step) => step.file) : [], problem: failed };
  });
}

/** Runs with the ledger in hand while no other install or uninstall can. */
export function underLock(site: Site, work: (ledger: Ledger) => Applied): Applied {
  const misplaced = homeInsideProject(site.holdfastHome, site.machine.root, site.machine.home);
  if (misplaced !== null) return { written: [], problem: misplaced };
  try {
    const held = takeLock(join(site.holdfastHome, "install.lock"), { waitMs: lockWaitMs });
    if (held === null) return { written: [], problem: busy(site) };
    try {
      const ledger = readLedger(site.holdfastHome);
      return isLedgerProblem(ledger)
        ? { written: [], problem: ledger }
        : work(adoptMoved(ledger, site.machine).ledger);
    } finally {
      held.release();
    }
  } catch (error) {
    const where = { file: site.holdfastHome };
    const words = "Holdfast cannot write to its own folder, so nothing is changed";
    return { written: [], problem: problem("HF123", words, { cause: causeOf(error), where }) };
  }
}

function keepBackup(change: FileChange, site: Site): void {
  if (change.keep === null) return;
  takeBackup(site.holdfastHome, change.keep, {
    file: change.file,
    real: change.record.real,
    sha256: sha256(change.keep),
    mode: change.record.mode,
    when: site.now.toISOString(),
    version: site.version,
  });
}

function remembered(
  ledger: Ledger,
  plan: InstallPlan,
  site: Site,
  created: CreatedDirs,
  unfinished: boolean,
): Ledger {
  return plan.changes.reduce((sum, { record, step }) => {
    const prior = ledger.files.find((file) => file.real === record.real);
    // Where our file had gone, whoever took it away may have made the folders anew: those that stood are not ours.
    const isNew = step !== null && step.before === null && prior?.unfinished !== true;
    const ours = isNew ? [] : (prior?.createdDirs ?? []);
    const entry: LedgerFile = {
      ...record,
      createdDirs: [...new Set([...ours, ...(created.get(record.real) ?? [])])],
      when: site.now.toISOString(),
      version: site.version,
      ...(unfinished && step !== null ? { unfinished } : {}),
    };
    return withFile(sum, record.real, entry);
  }, ledger);
}

function finished({ files, ...ledger }: Ledger): Ledger {
  return { ...ledger, files: files.map(({ unfinished: _over, ...entry }) => entry) };
}

function busy(site: Site): Problem {
  return problem("HF122", "another install or uninstall is running", {
    hint: "wait for it to end, then run the command again",
    where: { file: join(site.holdfastHome, "install.lock") },
  });
}
