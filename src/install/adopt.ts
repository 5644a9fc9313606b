import { existsSync } from "node:fs";
import { sep } from "node:path";
import type { Machine } from "../core/setup.ts";
import { sha256 } from "./backup.ts";
import { isProblem, readTarget } from "./disk.ts";
import type { Ledger, LedgerFile, OwnedEdit } from "./ledger.ts";

export interface Adopted {
  readonly ledger: Ledger;
  /** Where the project stood when it was recorded; null when nothing was taken over. */
  readonly from: string | null;
}

/**
 * Takes over the records of a project that was moved or renamed: those of a root that is gone, when most files here
 * have exactly the bytes that were written there; one alone may be alike in any two projects. A copy whose original still stands has no record of its own, nor has a
 * project that was installed again since. Reads only.
 */
export function adoptMoved(ledger: Ledger, { root }: Pick<Machine, "root">): Adopted {
  const nothing = { ledger, from: null };
  if (root === null || ledger.files.some((entry) => entry.root === root)) return nothing;
  const roots = new Set(ledger.files.map((entry) => entry.root).filter((one) => one !== null));
  const matches = [...roots]
    .filter((old) => !existsSync(old))
    .map((old) => {
      const entries = ledger.files.filter((entry) => entry.root === old);
      const same = entries.filter((entry) => isSameHere(entry, old, root)).length;
      return { old, share: same / entries.length };
    })
    .toSorted((a, b) => b.share - a.share);
  const [best] = matches;
  if (best === undefined || best.share <= 0.5) return nothing;
  const files = ledger.files.map((entry) =>
    entry.root === best.old ? rerooted(entry, best.old, root) : entry,
  );
  return { ledger: { ...ledger, files }, from: best.old };
}

function isSameHere(entry: LedgerFile, old: string, root: string): boolean {
  const file = moved(entry.file, old, root);
  if (file === entry.file) return false;
  const target = readTarget(file);
  return !isProblem(target) && target.bytes !== null && sha256(target.bytes) === entry.after;
}

function rerooted(entry: LedgerFile, old: string, root: string): LedgerFile {
  const file = moved(entry.file, old, root);
  const target = readTarget(file);
  return {
    ...entry,
    file,
    real: isProblem(target) ? moved(entry.real, old, root) : target.real,
    root,
    edits: entry.edits.map((edit) => reroutedEdit(edit, old, root)),
    createdDirs: entry.createdDirs.map((dir) => moved(dir, old, root)),
  };
}

function reroutedEdit(edit: OwnedEdit, old: string, root: string): OwnedEdit {
  const owners = edit.owners.map((owner) => (owner.root === old ? { ...owner, root } : owner));
  return edit.kind === "hook-script"
    ? { ...edit, owners, chained: moved(edit.chained, old, root) }
    : { ...edit, owners };
}

/** The same place below the new root; a path outside the old one stays. */
function moved(path: string, old: string, root: string): string {
  return path.startsWith(old + sep) ? root + path.slice(old.length) : path;
}
