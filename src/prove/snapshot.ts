import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Path relative to the folder → mode and content hash, for every file and link below it. */
export type Snapshot = ReadonlyMap<string, string>;

/** Takes a snapshot of every file below a folder, `skip` (relative, whole folders) left out. */
export function snapshot(folder: string, skip: readonly string[] = []): Snapshot {
  const found = new Map<string, string>();
  const visit = (relative: string) => {
    for (const entry of readdirSync(join(folder, relative), { withFileTypes: true })) {
      const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (skip.includes(name)) continue;
      if (entry.isDirectory()) visit(name);
      else found.set(name, fingerprint(join(folder, name)));
    }
  };
  visit("");
  return found;
}

/** Paths that are new, gone or different in `after`, sorted. */
export function changes(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

function fingerprint(file: string): string {
  const stat = lstatSync(file);
  const mode = (stat.mode & 0o7777).toString(8);
  if (stat.isSymbolicLink()) return `${mode} -> ${readlinkSync(file)}`;
  if (!stat.isFile()) return `${mode} special`;
  return `${mode} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
}
