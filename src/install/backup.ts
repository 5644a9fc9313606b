import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dict, text } from "../core/read.ts";
import { makePrivateDir, readText, writeAtomic } from "../runtime/files.ts";

/** Where a backup came from. It lies beside the bytes, so that a backup without it is never trusted. */
export interface Provenance {
  readonly file: string;
  readonly real: string;
  readonly sha256: string;
  readonly mode: number | null;
  /** ISO time. */
  readonly when: string;
  /** Version of Holdfast that took it. */
  readonly version: string;
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Keeps a file's bytes under a name made of its path and its content. The first backup of the same content
 * stays as it is. Returns the backup's id.
 */
export function takeBackup(holdfastHome: string, bytes: Buffer, from: Provenance): string {
  const id = backupId(from.real, from.sha256);
  const folder = join(holdfastHome, "backups");
  if (readBackup(holdfastHome, id) !== null) return id;
  makePrivateDir(folder);
  writeAtomic(join(folder, `${id}.bytes`), bytes, { mode: 0o600 });
  writeAtomic(join(folder, `${id}.json`), `${JSON.stringify(from, null, 1)}\n`, { mode: 0o600 });
  return id;
}

export function backupId(real: string, sha: string): string {
  return `${sha256(Buffer.from(real)).slice(0, 12)}-${sha.slice(0, 16)}`;
}

/** The bytes of a backup; null when it is missing, has no provenance, or is not what was kept. */
export function readBackup(holdfastHome: string, id: string): Buffer | null {
  const folder = join(holdfastHome, "backups");
  const provenance = readText(join(folder, `${id}.json`));
  const file = join(folder, `${id}.bytes`);
  if (provenance === null || !existsSync(file)) return null;
  const bytes = readFileSync(file);
  return expectedSha(provenance) === sha256(bytes) ? bytes : null;
}

function expectedSha(provenance: string): string | null {
  try {
    return text(dict(JSON.parse(provenance)).sha256);
  } catch {
    return null;
  }
}
