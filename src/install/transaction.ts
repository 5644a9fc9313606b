import { existsSync, renameSync, unlinkSync } from "node:fs";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import { isProblem, makeParents, readTarget, removeEmpty, writeTarget } from "./disk.ts";

export interface Move {
  readonly from: string;
  readonly to: string;
}

/** One file's part of a run: what it must hold now, and what it holds afterwards. */
export interface Step {
  readonly file: string;
  /** What is written: the file itself behind any symlink, except for a script that is moved aside first. */
  readonly real: string;
  readonly before: Buffer | null;
  /** Null removes the file. */
  readonly after: Buffer | null;
  /** Permission bits to set; null keeps them. */
  readonly mode: number | null;
  /** A file moved aside before the write. */
  readonly aside: Move | null;
  /** A file moved back after the write. */
  readonly back: Move | null;
}

/** Folders that were created for each real path, outermost first. */
export type CreatedDirs = ReadonlyMap<string, readonly string[]>;

/**
 * Carries out all steps or none: files that changed since they were read stop the run before anything is
 * written, and a write that fails undoes the ones before it. `also` runs last and is part of the whole.
 */
export function runSteps(steps: readonly Step[], also: (created: CreatedDirs) => void): Problem | null {
  const changed = steps.map(changedSince).find((found) => found !== null);
  if (changed !== undefined) return changed;
  const undo: (() => void)[] = [];
  const created = new Map<string, readonly string[]>();
  let current = "";
  try {
    for (const step of steps) {
      current = step.file;
      runStep(step, undo, created);
    }
    current = "";
    also(created);
    return null;
  } catch (error) {
    const stuck = rollBack(undo);
    const outcome = stuck.length === 0 ? "everything is as it was before" : `not undone: ${stuck.join("; ")}`;
    return problem("HF123", `a file could not be written; ${outcome}`, {
      cause: causeOf(error),
      ...(current === "" ? {} : { where: { file: current } }),
    });
  }
}

function changedSince(step: Step): Problem | null {
  const now = readTarget(step.file);
  if (isProblem(now)) return now;
  const sameBytes = now.bytes === null ? step.before === null : step.before?.equals(now.bytes) === true;
  const samePlace = step.aside !== null || now.real === step.real;
  if (sameBytes && samePlace) return null;
  return problem("HF120", "the file changed since the plan was made, so nothing is written", {
    hint: "run the command again to see the new plan",
    where: { file: step.file },
  });
}

function runStep(step: Step, undo: (() => void)[], created: Map<string, readonly string[]>): void {
  const { aside, back } = step;
  if (aside !== null) {
    if (existsSync(aside.to)) throw new Error(`${aside.to} exists already`);
    move(aside, undo);
  }
  if (step.after === null) removeFile(step, undo);
  else {
    undo.push(() => removeEmpty(created.get(step.real) ?? []));
    created.set(step.real, makeParents(step.real));
    writeFile(step, step.after, undo);
  }
  if (back !== null) move(back, undo);
}

function move(way: Move, undo: (() => void)[]): void {
  renameSync(way.from, way.to);
  undo.push(() => renameSync(way.to, way.from));
}

function writeFile(step: Step, after: Buffer, undo: (() => void)[]): void {
  const old = readTarget(step.real);
  if (isProblem(old)) throw new Error(old.message);
  undo.push(() => {
    if (old.bytes !== null) writeTarget(step.real, old.bytes, old.mode);
    else if (existsSync(step.real)) unlinkSync(step.real);
  });
  writeTarget(step.real, after, step.mode);
}

function removeFile(step: Step, undo: (() => void)[]): void {
  const old = readTarget(step.real);
  if (isProblem(old)) throw new Error(old.message);
  if (old.bytes === null) return;
  const { bytes, mode } = old;
  unlinkSync(step.real);
  undo.push(() => writeTarget(step.real, bytes, mode));
}

function rollBack(undo: readonly (() => void)[]): string[] {
  const stuck: string[] = [];
  for (const step of [...undo].reverse()) {
    try {
      step();
    } catch (error) {
      stuck.push(causeOf(error));
    }
  }
  return stuck;
}
