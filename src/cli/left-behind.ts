import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentSetup, Machine } from "../core/setup.ts";
import { hasLine, hintsOf } from "../doctor/hand-line.ts";
import type { Ledger, LedgerFile } from "../install/ledger.ts";
import type { FileRemoval } from "../install/remove.ts";
import { manifestNames } from "../manifest/snapshot.ts";

/** A file or folder that stays after an uninstall although Holdfast had to do with it. */
export interface Left {
  readonly file: string;
  readonly why: string;
}

/** Looks, after an uninstall, for what stayed because no record tells whose it is. */
export function leftBehind(removals: readonly FileRemoval[], { root }: Machine): Left[] {
  const unrecorded = removals.filter(({ entry }) => entry === null);
  if (unrecorded.length === 0) return [];
  const emptied = unrecorded
    .filter(({ step }) => ["", "{}"].includes(step?.after?.toString("utf8").trim() ?? "-"))
    .map(({ file }) => ({ file, why: `empty now; ${unknown} whether it was there before` }));
  const folders = unrecorded
    .filter(({ file, step }) => step?.after === null && isEmpty(dirname(file)))
    .map(({ file }) => ({ file: dirname(file), why: `an empty folder; ${unknown} who made it` }));
  const manifests = (root === null ? [] : manifestNames.map((name) => join(root, name)))
    .filter((file) => existsSync(file) && !removals.some((removal) => removal.file === file))
    .map((file) => ({ file, why: `${unknown} who wrote it; delete it when you no longer need it` }));
  return [...emptied, ...manifests, ...folders];
}

const unknown = "the record of the install is not here to tell";

/** The hook in a folder that other repositories run hooks from as well, when only they put it there. */
export function hooksOfOthers({ files }: Ledger, { gitHooks, root }: Machine): Left[] {
  if (gitHooks?.shared !== true) return [];
  return files
    .filter(({ file }) => dirname(file) === gitHooks.dir)
    .map((entry) => ({ file: entry.file, roots: rootsOf(entry).filter((one) => existsSync(one)) }))
    .filter(({ roots }) => roots.length > 0 && !roots.includes(root ?? ""))
    .map(({ file, roots }) => ({ file, why: `${roots.join(" and ")} put it there, and can uninstall it` }));
}

function rootsOf({ root, edits }: LedgerFile): string[] {
  const roots = edits.flatMap(({ owners }) => owners.map((owner) => owner.root ?? root));
  return [...new Set(roots.filter((one) => one !== null))];
}

/** Lines that the person added by hand and that only the person can take out. */
export function linesByHand(setups: readonly AgentSetup[], machine: Machine): Left[] {
  return setups
    .flatMap((setup) => hintsOf(setup, machine))
    .filter(hasLine)
    .map(({ file }) => ({ file, why: "the line that you added by hand still calls Holdfast" }));
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}
