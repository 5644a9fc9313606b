import { existsSync, readdirSync } from "node:fs";
import type { Machine, Scope } from "../core/setup.ts";
import { installedScopes } from "../doctor/standing.ts";
import { detectAgents, type Found as Program } from "../install/detect.ts";
import { programVersion } from "../install/program-version.ts";
import type { Files } from "../policies/context.ts";
import { archiveMembers } from "../runtime/archive.ts";
import { isLink, readText, times } from "../runtime/files.ts";
import { isCommit } from "./effect.ts";
import { setups } from "./situation.ts";

/** One agent as it was found on this machine. */
export interface Found {
  readonly setup: Program["setup"];
  /** Its program or its folder is here; for git: this is a repository. */
  readonly present: boolean;
  /** Told by where its program lies; null where that tells nothing. */
  readonly version: string | null;
  /** Scopes Holdfast is installed in. */
  readonly installed: readonly Scope[];
}

/** Looks for every agent. None of their programs is started. */
export function findAgents(machine: Machine): Found[] {
  const programs = detectAgents(setups, machine);
  return setups.map((setup) => {
    const here = programs.find((program) => program.setup === setup);
    return {
      setup,
      present: isCommit(setup.agent) ? machine.gitHooks !== null : here !== undefined,
      version: versionOf(here),
      installed: installedScopes(setup, machine),
    };
  });
}

function versionOf(found: Program | undefined): string | null {
  if (found === undefined || found.program === null) return null;
  return programVersion(found.program, [found.setup.agent.id, ...found.setup.detect.commands]);
}

/** The disk, as the detection of the test command reads it. */
export const disk: Files = {
  readText,
  exists: existsSync,
  isLink,
  times,
  members: archiveMembers,
  list: (folder) => {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};
