import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";

export interface WriteOptions {
  /** Permission bits; default: those of the file that is replaced, else 0o644 under the umask. */
  readonly mode?: number;
  /** Replace a symlink itself instead of the file it points to. For files no one else should aim. */
  readonly replaceLink?: boolean;
}

/** The file's text, or null when it is absent or cannot be read. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/**
 * Replaces a file in one step: readers see the old or the new text, never a part. Symlinks are followed,
 * so the file they point to changes and the link stays. Throws what the file system throws.
 */
export function writeAtomic(path: string, data: string | Uint8Array, options: WriteOptions = {}): void {
  const target = options.replaceLink ? path : realPath(path);
  const mode = options.mode ?? modeOf(target);
  const temp = join(dirname(target), `.${basename(target).slice(0, 100)}.${process.pid}-${serial++}.tmp`);
  try {
    writeFileSync(temp, data, { flag: "wx", mode: mode ?? 0o644 });
    // The umask cut the bits given to open; a mode that was asked for, or was there before, is exact.
    if (mode !== null) chmodSync(temp, mode);
    renameSync(temp, target);
  } catch (error) {
    removeIfThere(temp);
    throw error;
  }
}

/**
 * The path with every symlink resolved as far as it exists, plus the rest as written. A link to something
 * that does not exist yet counts as well: writing to it creates the file it points to.
 */
export function realPath(path: string, links = 0): string {
  try {
    // Node's own way takes `link/..` for the folder that the link lies in.
    return path.includes("/..") ? realpathSync.native(path) : realpathSync(path);
  } catch {
    return dirname(path) === path ? path : fromTheTop(path, links);
  }
}

/**
 * Looks up real paths as `realPath` does, but remembers, so that of many files in one folder each costs one look.
 * For as long as nothing moves: one event.
 */
export function realPaths(): (path: string) => string {
  const known = new Map<string, string>();
  const look = (path: string): string => {
    const found = known.get(path) ?? belowParent(path, look) ?? realPath(path);
    known.set(path, found);
    return found;
  };
  return look;
}

/** Null where the way through the parent is not sure. */
function belowParent(path: string, look: (path: string) => string): string | null {
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  if (
    sep !== "/" ||
    at <= 0 ||
    path.length > 1024 ||
    path.includes("/.") ||
    path.includes("//") ||
    name === ""
  )
    return null;
  const parent = look(path.slice(0, at));
  const real = `${parent === "/" ? "" : parent}/${name}`;
  try {
    return lstatSync(real, { throwIfNoEntry: false })?.isSymbolicLink() === true ? null : real;
  } catch {
    return null;
  }
}

/** Walks down until something is missing: one look per folder that exists, however deep the rest is. */
function fromTheTop(path: string, links: number): string {
  const parts = path.split(sep);
  let real = parts[0] === "" ? sep : (parts[0] ?? "");
  for (let at = 1; at < parts.length; at++) {
    const next = join(real, parts[at] ?? "");
    const target = linkTarget(next);
    if (target !== null && links < mostLinks) {
      return realPath([resolve(real, target), ...parts.slice(at + 1)].join(sep), links + 1);
    }
    if (target === null && !isThere(next)) return join(next, parts.slice(at + 1).join(sep));
    real = next;
  }
  return real;
}

/** Makes a folder and its parents for this user only, and tightens the folder itself. Throws on failure. */
export function makePrivateDir(dir: string): void {
  makeDirs(dir);
  if ((statSync(dir).mode & 0o077) !== 0) chmodSync(dir, 0o700);
}

/**
 * Makes a folder and its parents, for this user only; true when the folder was not there. Throws on failure.
 * Not `mkdir` with `recursive`: on a file system that refuses folders with ENOENT, such as /proc, Node
 * tries for ever (ran: 20.20.2, 2026-11-30).
 */
export function makeDirs(dir: string): boolean {
  if (isDir(dir)) return false;
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Someone else may have made it just now.
    if (code === "EEXIST" && isDir(dir)) return false;
    if (code !== "ENOENT" || dirname(dir) === dir || isDir(dirname(dir))) throw error;
    makeDirs(dirname(dir));
    mkdirSync(dir, { mode: 0o700 });
  }
  return true;
}

/**
 * When a file or folder was made and last written, in milliseconds since the epoch; null when it is not there. A
 * file system that does not keep the time of making gives 0 for it.
 */
export function times(path: string): { readonly created: number; readonly changed: number } | null {
  try {
    const { birthtimeMs, mtimeMs } = lstatSync(path);
    return { created: birthtimeMs, changed: mtimeMs };
  } catch {
    return null;
  }
}

/** Is the last name itself a link? False also where there is nothing. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** True for a directory that is not reached through a symlink of that name. */
export function isRealDir(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Removes a file; whether it was there does not matter. */
export function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Absent, or not ours to remove: the caller's next step tells.
  }
}

function isDir(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

let serial = 0;
/** As Linux: more links in a row are a loop. */
const mostLinks = 40;

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode & 0o7777;
  } catch {
    return null;
  }
}
