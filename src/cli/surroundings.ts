import { existsSync, readdirSync } from "node:fs";
import type { Machine, Scope } from "../core/setup.ts";
import { installedScopes } from "../doctor/standing.ts";
import { detectAgents, type Found as Program, readVersions } from "../install/detect.ts";
import type { Files } from "../policies/context.ts";
import { readText, times } from "../runtime/files.ts";
import { isCommit } from "./effect.ts";
import { setups } from "./situation.ts";

/** One agent as it was found on this machine. */
export interface Found {
  readonly setup: Program["setup"];
  /** Its program or its folder is here; for git: this is a repository. */
  readonly present: boolean;
  /** What its program says; null when it was not asked or did not say. */
  readonly version: string | null;
  /** Scopes Holdfast is installed in. */
  readonly installed: readonly Scope[];
}

/** Looks for every agent. Only with `versions` are their programs started, to say which one they are. */
export async function findAgents(machine: Machine, versions = false): Promise<Found[]> {
  const programs = detectAgents(setups, machine);
  const said = versions ? await readVersions(programs, machine) : new Map<string, string | null>();
  return setups.map((setup) => {
    const here = programs.some((program) => program.setup === setup);
    return {
      setup,
      present: isCommit(setup.agent) ? machine.gitHooks !== null : here,
      version: said.get(setup.agent.id) ?? null,
      installed: installedScopes(setup, machine),
    };
  });
}

/** The disk, as the detection of the test command reads it. */
export const disk: Files = {
  readText,
  exists: existsSync,
  times,
  list: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};
