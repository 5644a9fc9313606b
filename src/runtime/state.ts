import { lstatSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { hashAll } from "../core/hash.ts";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import { type Dict, isDict, list, text, texts } from "../core/read.ts";
import {
  blankProject,
  blankSession,
  type Check,
  type Outcome,
  type ProjectState,
  type SessionState,
  type State,
} from "../policies/context.ts";
import { isRealDir, makePrivateDir, readText, removeIfThere, writeAtomic } from "./files.ts";
import { awaitLock, type Held, takeLock } from "./lock.ts";

/**
 * Where the run state of one project lies: `<root>/.holdfast/state` when the project has a `.holdfast` folder,
 * else below the user's. A symlink of that name is not followed: a cloned repository could aim it anywhere.
 */
export function stateDir(root: string, holdfast: string): string {
  const inside = join(root, ".holdfast");
  const own = isRealDir(inside) && !isLink(join(inside, "state"));
  return own ? join(inside, "state") : join(holdfast, "projects", hashAll([root]));
}

/** Opens the state in `dir`. Every trouble goes to `report` and is answered with the blank state. */
export function openState(dir: string, report: (problem: Problem) => void): State {
  const sessionFile = (agent: string, session: string | null) =>
    join(dir, `session-${hashAll([agent, session ?? ""])}.json`);
  const projectFile = join(dir, "project.json");
  return {
    session: (agent, session) => readState(sessionFile(agent, session), toSession, report),
    updateSession(agent, session, change) {
      const file = sessionFile(agent, session);
      return updateState(file, toSession, change, report);
    },
    project: () => readState(projectFile, toProject, report),
    updateProject: (change) => updateState(projectFile, toProject, change, report).saved,
    exclusively: (waitMs, work) => exclusively(join(dir, "check.lock"), waitMs, work, report),
  };
}

/** Removes session files that nobody wrote to for `days`. */
export function pruneSessions(dir: string, days: number, now: number): void {
  for (const name of namesIn(dir)) {
    if (!name.startsWith("session-")) continue;
    const path = join(dir, name);
    if (now - (modifiedAt(path) ?? now) > days * 86_400_000) removeIfThere(path);
  }
}

/** A hook waits this long for another one that is writing; writing takes about a millisecond. */
const writeWaitMs = 5_000;

type Report = (problem: Problem) => void;
/** Builds a state from a stored value; null value: the blank one; null answer: the value is damaged. */
type Reader<T> = (value: Dict | null) => T | null;

/** A look without the lock. Damage is looked at again under it: only there may a file be moved. */
function readState<T>(file: string, reader: Reader<T>, report: Report): T {
  const state = stored(file, reader);
  return state !== "damaged" ? state : updateState(file, reader, (found) => found, report).state;
}

function readHeld<T>(file: string, reader: Reader<T>, report: Report): T {
  const state = stored(file, reader);
  if (state !== "damaged") return state;
  setAside(file, report);
  return reader(null) as T;
}

function stored<T>(file: string, reader: Reader<T>): T | "damaged" {
  const raw = isLink(file) ? null : readText(file);
  if (raw === null) return reader(null) as T;
  const value = parse(raw);
  return (isDict(value) ? reader(value) : null) ?? "damaged";
}

function updateState<T>(
  file: string,
  reader: Reader<T>,
  change: (state: T) => T,
  report: Report,
): { state: T; saved: boolean } {
  let held: Held | null = null;
  try {
    makePrivateDir(join(file, ".."));
    held = takeLock(`${file}.lock`, { waitMs: writeWaitMs });
    if (held === null) report(lockProblem(file));
    const state = change(readHeld(file, reader, report));
    writeAtomic(file, JSON.stringify(state), { mode: 0o600, replaceLink: true });
    return { state, saved: true };
  } catch (error) {
    report(unwritable(file, causeOf(error)));
    const state = stored(file, reader);
    return { state: change(state === "damaged" ? (reader(null) as T) : state), saved: false };
  } finally {
    held?.release();
  }
}

async function exclusively<T>(
  lock: string,
  waitMs: number,
  work: (waited: boolean) => Promise<T>,
  report: Report,
): Promise<T | null> {
  let held: Held | null = null;
  try {
    makePrivateDir(join(lock, ".."));
    held = await awaitLock(lock, { waitMs });
    if (held === null) return null;
  } catch (error) {
    // Without a place for the lock the work is still worth doing.
    report(unwritable(lock, causeOf(error)));
  }
  try {
    return await work(held?.waited ?? false);
  } finally {
    held?.release();
  }
}

/** Keeps what could not be read, for whoever looks into it, and says so. */
function setAside(file: string, report: Report): void {
  const kept = `${file}.damaged`;
  try {
    renameSync(file, kept);
  } catch {
    // Another hook moved it first, or the disk is read-only; the report is what matters.
  }
  report(
    problem("HF804", "a state file was damaged and has been set aside", {
      severity: "warning",
      where: { file: kept },
      hint: "Nothing to do: Holdfast started a new one. If it happens again, check the disk.",
    }),
  );
}

function unwritable(file: string, cause: string): Problem {
  return problem("HF807", "state could not be written", {
    where: { file },
    cause,
    hint: "Free some space or make the folder writable; until then tests may run more often than needed.",
  });
}

function lockProblem(file: string): Problem {
  return problem("HF808", "a state file stayed locked by another hook; went on without the lock", {
    severity: "warning",
    where: { file },
    hint: `If no agent is running, delete ${file}.lock`,
  });
}

function toSession(value: Dict | null): SessionState | null {
  if (value === null) return blankSession;
  const { since, retries, baseline, base, baseAt, idle, before, told, notes } = value;
  if (typeof since !== "number" || typeof retries !== "number") return null;
  if (!Number.isSafeInteger(retries) || retries < 0) return null;
  return {
    since,
    retries,
    baseline: text(baseline),
    base: text(base),
    baseAt: typeof baseAt === "number" ? baseAt : 0,
    idle: idle === true,
    before: toCheck(before),
    told: texts(told),
    notes: texts(notes),
  };
}

function toProject(value: Dict | null): ProjectState | null {
  if (value === null) return blankProject;
  if (!Array.isArray(value.passed)) return null;
  const { passed, lastCheck, heard } = value;
  return { passed: texts(passed), lastCheck: toCheck(lastCheck), heard: texts(heard) };
}

const outcomes: readonly string[] = [
  "passed",
  "newly-failing",
  "failing-before",
  "timed-out",
  "could-not-run",
  "no-tests",
] satisfies Outcome[];

function toCheck(value: unknown): Check | null {
  if (!isDict(value) || !outcomes.includes(text(value.outcome) ?? "")) return null;
  if (typeof value.at !== "number") return null;
  return {
    at: value.at,
    by: text(value.by) ?? "",
    command: text(value.command) ?? "",
    fingerprint: text(value.fingerprint),
    head: text(value.head),
    outcome: value.outcome as Outcome,
    ended: text(value.ended) ?? "",
    failures: texts(list(value.failures)),
    tail: text(value.tail) ?? "",
  };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function modifiedAt(path: string): number | null {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}
