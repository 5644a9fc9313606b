import { linkSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isDict } from "../core/read.ts";
import { makeDirs, readText, removeIfThere } from "./files.ts";

export interface LockOptions {
  /** How long to wait for another holder, milliseconds. */
  readonly waitMs: number;
}

/** A held lock. Releasing twice is harmless. */
export interface Held {
  /** True when another process held it first. */
  readonly waited: boolean;
  release(): void;
}

/**
 * Takes a lock file, blocking the thread for at most `waitMs`; null when it is still held then.
 * The lock of a process that no longer runs is taken over. Throws only when the folder cannot be written.
 */
export function takeLock(path: string, options: LockOptions): Held | null {
  const end = Date.now() + options.waitMs;
  for (let waited = false; ; waited = true) {
    const held = tryLock(path, waited);
    if (held !== null) return held;
    if (Date.now() >= end) return null;
    Atomics.wait(sleeper, 0, 0, 1 + Math.random() * 4);
  }
}

/** The same without blocking the thread, for waits of minutes. */
export async function awaitLock(path: string, options: LockOptions): Promise<Held | null> {
  const end = Date.now() + options.waitMs;
  for (let waited = false; ; waited = true) {
    const held = tryLock(path, waited);
    if (held !== null) return held;
    if (Date.now() >= end) return null;
    await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 50));
  }
}

/** Who holds a lock; `started` tells a process from a later one with the same number. */
interface Owner {
  readonly pid: number;
  readonly started: string;
  readonly token: string;
}

const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** Between creating a lock file and filling it lies one write; longer than this means the writer died. */
const fillMs = 2_000;
/** Where start times cannot be read, a lock older than this is taken for a dead one's. */
const maxAgeMs = 15 * 60_000;
let serial = 0;

function tryLock(path: string, waited: boolean): Held | null {
  const owner: Owner = {
    pid: process.pid,
    started: startOf(process.pid),
    token: `${process.pid}-${Date.now()}-${serial++}`,
  };
  if (create(path, owner)) return { waited, release: () => release(path, owner.token) };
  if (isStale(path)) retire(path, owner);
  return null;
}

/** Creates the lock with its content in one step: written aside, then linked to its name. */
function create(path: string, owner: Owner): boolean {
  const text = JSON.stringify(owner);
  const aside = `${path}.${owner.token}`;
  try {
    writeFileSync(aside, text, { flag: "wx", mode: 0o600 });
    linkSync(aside, path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") return false;
    if (code === "ENOENT" && makeFolder(path)) return create(path, owner);
    if (code === "EPERM" || code === "ENOTSUP" || code === "ENOSYS") return createExclusive(path, text);
    throw error;
  } finally {
    removeIfThere(aside);
  }
}

/** True when it was not there before. */
function makeFolder(path: string): boolean {
  return makeDirs(dirname(path));
}

/** For file systems without hard links. */
function createExclusive(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function isStale(path: string): boolean {
  const owner = ownerOf(path);
  const age = ageOf(path);
  if (age === null) return false;
  if (owner === null) return age > fillMs;
  if (!isRunning(owner.pid)) return true;
  const started = startOf(owner.pid);
  if (started === "" || owner.started === "") return age > maxAgeMs;
  return started !== owner.started;
}

/**
 * Removes a stale lock, one process at a time: without the second lock, two could see the same dead owner
 * and the slower one would remove the lock the faster one has just taken.
 */
function retire(path: string, owner: Owner): void {
  const guard = `${path}.retire`;
  if (create(guard, owner)) {
    if (isStale(path)) removeIfThere(path);
    removeIfThere(guard);
  } else if ((ageOf(guard) ?? 0) > fillMs) removeIfThere(guard);
}

function release(path: string, token: string): void {
  if (ownerOf(path)?.token === token) removeIfThere(path);
}

function ownerOf(path: string): Owner | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isDict(value)) return null;
    const { pid, started, token } = value;
    if (typeof pid !== "number" || typeof started !== "string" || typeof token !== "string") return null;
    return { pid, started, token };
  } catch {
    return null;
  }
}

function ageOf(path: string): number | null {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return null;
  }
}

/** True as well for a process of another user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Clock ticks after boot at which a process started; empty where the system has no /proc. */
function startOf(pid: number): string {
  const stat = readText(`/proc/${pid}/stat`);
  // The command name in parentheses may hold spaces; the start time is the 20th field after it (proc(5)).
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
}

function codeOf(error: unknown): string {
  return isDict(error) && typeof error.code === "string" ? error.code : "";
}
