import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { dict, isDict, text } from "../core/read.ts";
import type { Env } from "./environment.ts";
import { makePrivateDir, readText } from "./files.ts";
import { holdfastHome } from "./home.ts";

/** The event in which a problem came up. */
export interface Origin {
  /** Root of the project; null outside any, or when it was not known. */
  readonly project: string | null;
  /** Name of the event; null when it was not known. */
  readonly event: string | null;
}

export interface RecordedProblem extends Problem, Origin {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Appends a problem to the record that `doctor` shows. Never throws; false: it could not be written. */
export function recordProblem(found: Problem, env: Env, home: string, origin: Origin = unknown): boolean {
  const dir = holdfastHome(env, home);
  const file = join(dir, fileName);
  try {
    makePrivateDir(dir);
    if (sizeOf(file) > mostBytes) renameSync(file, `${file}.1`);
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), ...origin, ...found })}\n`, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** The recorded problems, oldest first. Lines that cannot be read are left out. */
export function readProblems(env: Env, home: string): RecordedProblem[] {
  const file = join(holdfastHome(env, home), fileName);
  const lines = [`${file}.1`, file].flatMap((path) => (readText(path) ?? "").split("\n"));
  return lines.flatMap(toProblem);
}

const unknown: Origin = { project: null, event: null };
const fileName = "problems.jsonl";
/** One older file of the same size is kept. */
const mostBytes = 256 * 1024;

function toProblem(line: string): RecordedProblem[] {
  const { at, project, event, code, message, severity, where, hint, cause, fixable } = dict(parse(line));
  if (typeof at !== "number" || typeof code !== "string" || typeof message !== "string") return [];
  const found = problem(code, message, {
    severity: severity === "warning" || severity === "info" ? severity : "error",
    where: isDict(where) ? where : {},
    hint: text(hint) ?? "",
    cause: text(cause) ?? "",
    fixable: fixable === true,
  });
  return [{ at, project: text(project), event: text(event), ...found }];
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
