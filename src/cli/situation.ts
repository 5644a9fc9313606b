import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { catalog } from "../agents/catalog.ts";
import { ProblemError, problem } from "../core/problem.ts";
import type { AgentSetup } from "../core/setup.ts";
import { findProject, type Project } from "../git/project.ts";
import { loadManifest } from "../manifest/load.ts";
import { nearest } from "../manifest/nearest.ts";
import { type LoadedSettings, loadSettings, loadSettingsFrom } from "../manifest/snapshot.ts";
import type { Args } from "./command.ts";
import { isCommit } from "./effect.ts";
import { usage } from "./parse.ts";

/** Every agent there is; those that only see commits come last. */
export const setups: readonly AgentSetup[] = Object.values<AgentSetup>(catalog).toSorted(
  (a, b) => Number(isCommit(a.agent)) - Number(isCommit(b.agent)),
);

/** Where a command acts and which settings are in force there. */
export interface Situation {
  readonly project: Project | null;
  readonly root: string | null;
  readonly manifest: LoadedSettings;
}

/** Throws `ProblemError` when `--cwd` or `--config` names nothing. */
export async function situationOf({ cwd, env, home, globals }: Args): Promise<Situation> {
  if (!existsSync(cwd)) throw new ProblemError(usage(`there is no folder ${cwd}`, ""));
  const project = findProject(cwd, null, home);
  const root = project?.root ?? null;
  const { config } = globals;
  if (config !== null && !existsSync(config)) throw new ProblemError(usage(`there is no file ${config}`, ""));
  const compiler = async () => loadManifest;
  const manifest = await (config === null
    ? loadSettings(root, cwd, env, home, compiler)
    : loadSettingsFrom(config, env, home, compiler));
  return { project, root, manifest };
}

/**
 * The agents named by `--agent a,b`, or null when it was not given. Throws a usage error for a name that does
 * not exist.
 */
export function agentsNamed(option: Args["options"][string]): readonly AgentSetup[] | null {
  if (option === undefined || typeof option === "boolean") return null;
  const given = typeof option === "string" ? [option] : option;
  const names = given.flatMap((part) => part.split(",")).map((name) => name.trim());
  return names.filter((name) => name !== "").map(setupNamed);
}

function setupNamed(name: string): AgentSetup {
  const ids = setups.map(({ agent }) => agent.id);
  const found = setups.find(({ agent }) => agent.id === name);
  if (found !== undefined) return found;
  // People say `claude`; the folder a program belongs to is the best guess.
  const byProgram = setups.filter(({ detect }) => detect.commands.includes(name));
  if (byProgram.length === 1 && byProgram[0] !== undefined) return byProgram[0];
  const near = nearest(name, ids);
  const message = `there is no agent "${name}"${near === null ? "" : ` — did you mean "${near}"?`}`;
  throw new ProblemError(usage(message, `Known: ${ids.join(", ")}`));
}

/** The folder a manifest's patterns are relative to in words for the person. */
export function manifestName(manifest: LoadedSettings, path: (file: string) => string): string {
  return manifest.file === null ? "built-in defaults" : path(manifest.file);
}

/** Throws when the command needs a project and there is none. */
export function needProject(root: string | null, cwd: string): string {
  if (root !== null) return root;
  throw new ProblemError(
    problem("HF004", `${cwd} is in no project`, {
      hint: "Go to a project (a git repository, or a folder with holdfast.yaml), or use --scope user.",
      where: { file: dirname(cwd) },
    }),
  );
}
