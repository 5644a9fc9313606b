import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import { removeIfThere } from "../runtime/files.ts";

/** What stands at a path now. */
export interface Target {
  /** The path as the agent names it. */
  readonly file: string;
  /** The same with every symlink resolved: the file that is really read and written. */
  readonly real: string;
  /** Null when there is no file. */
  readonly bytes: Buffer | null;
  /** Permission bits; null when there is no file. */
  readonly mode: number | null;
}

/** Settings files are small; something larger is not what we think it is. Bytes. */
const maxBytes = 5 * 1024 * 1024;

/** Reads a file that may be written later. A problem says why it cannot or must not be touched. */
export function readTarget(file: string): Target | Problem {
  const found = resolveReal(file);
  if ("code" in found) return found;
  const { real } = found;
  const stats = statOrNull(real);
  if (stats === null) return { file, real, bytes: null, mode: null };
  const obstacle = obstacleIn(file, real, stats);
  if (obstacle !== null) return obstacle;
  try {
    return { file, real, bytes: readFileSync(real), mode: stats.mode & 0o7777 };
  } catch (error) {
    return unreadable(file, causeOf(error));
  }
}

export function isProblem(value: Target | Problem): value is Problem {
  return "code" in value;
}

/** The real path of the longest part that exists, plus the rest as written. */
function resolveReal(file: string): { readonly real: string } | Problem {
  const rest: string[] = [];
  for (let path = file; ; path = dirname(path)) {
    try {
      const real = realpathSync(path);
      if (rest.length > 0 && !statSync(real).isDirectory()) return parentIsFile(file, path);
      return { real: join(real, ...rest) };
    } catch (error) {
      if (isLink(path)) return brokenLink(file, path);
      const code = (error as NodeJS.ErrnoException).code;
      if (code !== "ENOENT" && code !== "ENOTDIR") return unreadable(file, causeOf(error));
      rest.unshift(basename(path));
    }
  }
}

function obstacleIn(file: string, real: string, stats: Stats): Problem | null {
  const where = { file };
  if (stats.isDirectory()) {
    return problem("HF117", "a folder stands where this file belongs", { hint: `move ${real} away`, where });
  }
  if (!stats.isFile()) {
    return problem("HF117", "this is no regular file (a pipe, socket or device)", { where });
  }
  if (stats.size > maxBytes) {
    const size = `${(stats.size / 1024 / 1024).toFixed(1)} MB`;
    return problem("HF118", `the file is ${size} large; settings beyond 5 MB are left alone`, { where });
  }
  const bar = (stats.mode & 0o222) === 0 ? "EACCES" : writeBar(real);
  if (bar !== null) {
    const hint = wayToWrite(bar, real, stats.uid, process.getuid?.() ?? stats.uid);
    return problem("HF115", "the file is read-only, and whoever made it so had a reason", { hint, where });
  }
  return null;
}

function parentIsFile(file: string, parent: string): Problem {
  return problem("HF117", `${parent} is a file where a folder belongs`, { where: { file } });
}

function brokenLink(file: string, link: string): Problem {
  const to = readlinkSync(link);
  return problem("HF116", `${link} is a symlink to ${to}, which does not exist or leads in a circle`, {
    hint: "create the file it points to, or remove the link",
    where: { file },
  });
}

function unreadable(file: string, cause: string): Problem {
  return problem("HF119", "the file cannot be read", { cause, where: { file } });
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The code of the error that writing would meet; null when it may be written. */
function writeBar(path: string): string | null {
  try {
    accessSync(path, constants.W_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "EACCES";
  }
}

/** What makes a read-only file writable: its bits are the reason only where they are one's own to set. */
export function wayToWrite(bar: string, real: string, owner: number, user: number): string {
  if (bar === "EROFS")
    return "its file system is mounted read-only: mount it writable, or install elsewhere with --scope user";
  if (bar === "EPERM") return `it is marked as not to be changed: see lsattr '${real}' (ls -lO on macOS)`;
  if (owner !== user && user !== 0)
    return "it belongs to another user, who alone can change that; or install elsewhere with --scope user";
  return `if that is meant to change: chmod u+w '${real}'`;
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

/**
 * Writes through a temp file beside the real one and renames it, so that readers see the old or the new bytes.
 * Hard links, another owner and mount points forbid a rename; there the file is written in place. `mode` null
 * keeps the bits a file has. Throws what the file system throws.
 */
export function writeTarget(real: string, bytes: Buffer, mode: number | null): void {
  const stats = statOrNull(real);
  const bits = mode ?? (stats === null ? null : stats.mode & 0o7777);
  const shared = stats !== null && (stats.nlink > 1 || stats.uid !== (process.getuid?.() ?? stats.uid));
  if (shared || !replaceByRename(real, bytes, bits, stats !== null)) writeFileSync(real, bytes);
  if (bits !== null) chmodSync(real, bits);
}

/** False when the folder does not allow it although the file itself may be writable. */
function replaceByRename(real: string, bytes: Buffer, bits: number | null, exists: boolean): boolean {
  const temp = join(dirname(real), `${tempStem(real)}${process.pid}.holdfast-tmp`);
  removeIfThere(temp);
  try {
    const handle = openSync(temp, "wx", 0o666);
    try {
      writeFileSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (bits !== null) chmodSync(temp, bits);
    renameSync(temp, real);
    return true;
  } catch (error) {
    removeIfThere(temp);
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (exists && ["EXDEV", "EBUSY", "EPERM", "EACCES", "EROFS"].includes(code)) return false;
    throw error;
  }
}

/** What the temp file of a target begins with; the number of the process follows. */
export function tempStem(real: string): string {
  return `.${basename(real).slice(0, 100)}.`;
}

/** The folders above a file that are not there, outermost first. */
export function missingParents(real: string): string[] {
  const missing: string[] = [];
  for (let dir = dirname(real); statOrNull(dir) === null; dir = dirname(dir)) missing.unshift(dir);
  return missing;
}

/** Creates the missing folders above a file and returns them, outermost first. */
export function makeParents(real: string): string[] {
  const missing = missingParents(real);
  for (const dir of missing) mkdirSync(dir);
  return missing;
}

/** Removes folders that are empty now, innermost first; returns those removed. */
export function removeEmpty(dirs: readonly string[]): string[] {
  const removed: string[] = [];
  for (const dir of [...dirs].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(dir);
      removed.push(dir);
    } catch {
      // Somebody else's files are in it, or it is gone already.
    }
  }
  return removed;
}
