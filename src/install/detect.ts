import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve, sep } from "node:path";
import type { AgentSetup, Machine, Scope } from "../core/setup.ts";
import { findProject, type Project } from "../git/project.ts";
import { gitEnvironment } from "../runtime/environment.ts";
import { run } from "../runtime/spawn.ts";
import { isProblem, readTarget } from "./disk.ts";
import { isOurs } from "./edit/json-remove.ts";
import { childrenOf, isFault, nodeAt, parseJson, propertyValue } from "./edit/json-tree.ts";
import { decode } from "./edit/text.ts";
import { itemsFor } from "./plan.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly env: Env;
  readonly platform: string;
}

/** An agent as found on this machine. */
export interface Found {
  readonly setup: AgentSetup;
  /** Full path of its program; null when only its folder is there. */
  readonly program: string | null;
  /** Its folders that exist, absolute. */
  readonly folders: readonly string[];
}

/** Hooks of other tools in one file. */
export interface ForeignHooks {
  readonly file: string;
  readonly count: number;
}

/** Looks at the surroundings once. Git is only asked where its hooks are, and only in a repository. */
export async function readMachine(at: Surroundings): Promise<Machine> {
  const project = findProject(at.cwd, null, at.home);
  return {
    home: at.home,
    root: project?.root ?? null,
    env: at.env,
    platform: at.platform,
    gitHooks: project?.commonDir ? await gitHooks(project, at) : null,
  };
}

/** The agents whose program is on PATH or whose folder exists. Starts nothing. */
export function detectAgents(setups: readonly AgentSetup[], machine: Machine): Found[] {
  return setups.flatMap((setup) => {
    const programs = setup.detect.commands.map((name) => findProgram(name, machine.env, machine.platform));
    const program = programs.find((path) => path !== null) ?? null;
    const folders = setup.detect.folders
      .map((folder) => resolve(machine.home, folder))
      .filter((folder) => existsSync(folder));
    return program === null && folders.length === 0 ? [] : [{ setup, program, folders }];
  });
}

/** Full path of a program on PATH, or null. Relative entries of PATH are left out, as a project could fill them. */
export function findProgram(name: string, env: Env, platform: string): string | null {
  const windows = platform === "win32";
  const endings = windows ? (env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  const path = (windows ? (env.Path ?? env.PATH) : env.PATH) ?? "";
  for (const folder of path.split(windows ? ";" : delimiter)) {
    if (!isAbsolute(folder)) continue;
    const found = endings.map((ending) => join(folder, name + ending)).find((file) => isProgram(file));
    if (found !== undefined) return found;
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Counts hooks of other tools in the files an install would touch. Files that do not parse count as none. */
export function foreignHooks(setup: AgentSetup, scope: Scope, machine: Machine): ForeignHooks[] {
  const ours = new Map<string, { at: readonly string[]; commands: string[] }>();
  for (const { plan } of itemsFor([{ setup, scope }], machine)) {
    if (plan.kind !== "json-list") continue;
    const seen = ours.get(plan.file) ?? { at: plan.at.slice(0, 1), commands: [] };
    seen.commands.push(...plan.ours);
    ours.set(plan.file, seen);
  }
  return [...ours]
    .map(([file, { at, commands }]) => ({ file, count: countForeign(file, at, commands) }))
    .filter(({ count }) => count > 0);
}

function countForeign(file: string, at: readonly string[], commands: readonly string[]): number {
  const target = readTarget(file);
  if (isProblem(target) || target.bytes === null) return 0;
  const parsed = parseJson(decode(target.bytes).text.replace(/^\uFEFF/, ""));
  const events = isFault(parsed) ? null : nodeAt(parsed.root, at);
  if (events?.type !== "object") return 0;
  return childrenOf(events)
    .map(propertyValue)
    .flatMap((list) => (list?.type === "array" ? childrenOf(list) : []))
    .filter((entry) => !isOurs(entry, commands)).length;
}

/** How long git may take to answer, milliseconds. */
const gitMs = 5_000;

/** Where git runs hooks from, `core.hooksPath` and worktrees included; null when git does not say. */
async function gitHooks(project: Project, at: Surroundings): Promise<Machine["gitHooks"]> {
  const argv: [string, ...string[]] = ["git", "-C", project.root, "rev-parse", "--git-path", "hooks"];
  const options = {
    cwd: project.root,
    env: gitEnvironment(at.env),
    timeoutMs: gitMs,
    mergeStderr: false,
  };
  const answer = await run({ argv }, options);
  const path = answer.output.toString("utf8").replace(/\r?\n$/, "");
  if (answer.code !== 0 || path === "") return null;
  const dir = resolve(project.root, path.replace(/^~(?=\/)/, at.home));
  return { dir, ...placeOfHooks(dir, project) };
}

function placeOfHooks(dir: string, project: Project): { insideTree: boolean; shared?: boolean } {
  const inside = (inner: string, outer: string | null) =>
    outer !== null && (realOf(inner) + sep).startsWith(realOf(outer) + sep);
  if (inside(dir, project.commonDir) || inside(dir, project.gitDir)) return { insideTree: false };
  return inside(dir, project.root) ? { insideTree: true } : { insideTree: false, shared: true };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
