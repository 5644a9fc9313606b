import { resolve } from "node:path";
import type { Event } from "../core/event.ts";
import { findProject } from "../git/project.ts";

/** Where an event happens, and where the settings that govern it are looked for. */
export interface Place {
  readonly cwd: string;
  /** Root of the project that is guarded and tested; null outside any. */
  readonly root: string | null;
  /**
   * The folder in which the agent was started, as far as it says so, and its project. A folder that the agent has
   * moved into, or brought along, decides about nothing that its person did not hand to it.
   */
  readonly start: { readonly cwd: string; readonly root: string | null };
}

/** @param fallback the hook's own working directory, for agents that report none */
export function placeOf(event: Event, fallback: string, home: string): Place {
  const cwd = event.cwd ?? fallback;
  const found = findProject(cwd, event.projectHint, home)?.root ?? null;
  // Git starts its hooks in the working tree's root, also where no `.git` tells (`git --git-dir=…`).
  const root = event.name === "pre-commit" ? (found ?? cwd) : found;
  const hint = event.projectHint === null ? cwd : resolve(event.projectHint);
  const started = hint === cwd ? null : (findProject(hint, null, home)?.root ?? null);
  return { cwd, root, start: started === null ? { cwd, root } : { cwd: hint, root: started } };
}

/** The project of the folder that the agent has moved to since it was started; null where it has not moved. */
export function movedTo({ cwd, start }: Place, home: string): { readonly root: string | null } | null {
  return cwd === start.cwd ? null : { root: findProject(cwd, null, home)?.root ?? null };
}
