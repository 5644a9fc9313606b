import { type BigIntStats, lstatSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { hash } from "../core/hash.ts";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import { isDict } from "../core/read.ts";
import { defaultSettings, type Settings } from "../core/settings.ts";
import { makePrivateDir, writeAtomic } from "../runtime/files.ts";
import { holdfastHome } from "../runtime/home.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The compiler, loaded only when a manifest changed; see `loadManifest`. */
export type Compiler = (bytes: Uint8Array, file: string) => Compiled;
export interface Compiled {
  readonly settings: Settings | null;
  readonly problems: readonly Problem[];
  /** What holds of a manifest that does not parse. */
  readonly salvaged?: Settings | null;
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** The manifest they come from; null when there is none and the built-in defaults apply. */
  readonly file: string | null;
  readonly problems: readonly Problem[];
  /**
   * One line for the person when the manifest could not be used as written; null when all is well and
   * on every later call until the file changes again, so that a broken file is not nagged about.
   */
  readonly warning: string | null;
}

/** Raised whenever the shape below changes. New or changed settings are noticed by `defaults` alone. */
const format = 2;

interface Snapshot extends Compiled {
  readonly key: string;
}

export const manifestNames = ["holdfast.yaml", "holdfast.yml"] as const;

/**
 * The settings in force for `cwd`. Answers at once, without a promise, while the compiled snapshot is
 * fresh (one stat, one read, one `JSON.parse`); otherwise compiles the manifest and writes the snapshot.
 * Never fails: a manifest that cannot be read gives the built-in defaults and a problem.
 */
export function loadSettings(
  root: string | null,
  cwd: string,
  env: Env,
  home: string,
  compiler: () => Promise<Compiler>,
): LoadedSettings | Promise<LoadedSettings> {
  const file = findManifest(root, cwd, env, home);
  if (file === null) return { settings: defaultSettings, file: null, problems: [], warning: null };
  return loadSettingsFrom(file, env, home, compiler);
}

/** As `loadSettings`, for a manifest already found (or given with `--config`). */
export function loadSettingsFrom(
  file: string,
  env: Env,
  home: string,
  compiler: () => Promise<Compiler>,
): LoadedSettings | Promise<LoadedSettings> {
  let key: string;
  try {
    const stat = statSync(file, { bigint: true });
    // A pipe would keep whoever reads it waiting.
    if (!stat.isFile()) throw new Error(stat.isDirectory() ? "it is a folder" : "it is no regular file");
    key = keyOf(file, stat);
  } catch (error) {
    return unreadable(file, error);
  }
  const stored = readSnapshot(snapshotPath(file, env, home));
  if (stored !== null && stored.key === key) return result(file, stored, null);
  return compile(file, env, home, compiler);
}

/**
 * The manifest for a directory: `holdfast.yaml` or `.yml` from `cwd` upwards to the project root, else the
 * person's own in `$XDG_CONFIG_HOME/holdfast`, else null. Outside a project only `cwd` itself is looked at,
 * so that a file somebody left in a shared parent folder decides nothing. What has the name and is no file, such
 * as a folder or a link that leads nowhere, is given where the project has no better: its fault is to be told.
 */
export function findManifest(root: string | null, cwd: string, env: Env, home: string): string | null {
  return manifestIn(foldersUpTo(root, cwd)) ?? manifestIn([dirname(userManifest(env, home))]);
}

/** Where the person's own manifest is, whether it exists or not. */
export function userManifest(env: Env, home: string): string {
  const config = env.XDG_CONFIG_HOME;
  const base = config?.startsWith(sep) ? config : join(home, ".config");
  return join(base, "holdfast", manifestNames[0]);
}

function foldersUpTo(root: string | null, cwd: string): string[] {
  if (root === null) return [cwd];
  const below = relative(root, cwd);
  if (below === ".." || below.startsWith(`..${sep}`)) return [root];
  const steps = below === "" ? [] : below.split(sep);
  return [...steps.map((_, index) => join(root, ...steps.slice(0, steps.length - index))), root];
}

function manifestIn(folders: readonly string[]): string | null {
  let other: string | null = null;
  for (const folder of folders) {
    for (const name of manifestNames) {
      const file = join(folder, name);
      const isFile = isFileAt(file);
      if (isFile === true) return file;
      if (isFile === false) other ??= file;
    }
  }
  return other;
}

/** Null when nothing has that name. */
function isFileAt(path: string): boolean | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    return stat.isSymbolicLink() ? leadsToFile(path) : stat.isFile();
  } catch {
    // A folder that may not be entered, or a file where a folder should be.
    return null;
  }
}

function leadsToFile(link: string): boolean {
  try {
    return statSync(link).isFile();
  } catch {
    return false;
  }
}

async function compile(
  file: string,
  env: Env,
  home: string,
  compiler: () => Promise<Compiler>,
): Promise<LoadedSettings> {
  let compiled: Compiled;
  let key: string;
  try {
    const load = await compiler();
    const before = statSync(file, { bigint: true });
    // Stat first: when the file changes in between, the key is the older one and the next call compiles again.
    compiled = load(readFileSync(file), file);
    key = keyOf(file, before);
    if (isSettled(before)) writeSnapshot(snapshotPath(file, env, home), { key, ...compiled });
  } catch (error) {
    return unreadable(file, error);
  }
  return result(file, { key, ...compiled }, warningOf(file, compiled));
}

/** Changes with every edit; the change time catches edits that put the modification time back. */
function keyOf(file: string, stat: BigIntStats): string {
  const defaults = JSON.stringify(defaultSettings);
  return [format, file, stat.size, stat.mtimeNs, stat.ctimeNs, defaults].join("|");
}

/**
 * False while a second edit could still carry the same time stamp as the first: clocks of file systems tick
 * every few milliseconds, some only every two seconds. Until then each call compiles.
 */
function isSettled(stat: BigIntStats): boolean {
  const tickMs = stat.mtimeNs % 1_000_000_000n === 0n ? 2_000 : 50;
  return Date.now() - Number(stat.mtimeNs / 1_000_000n) > tickMs;
}

function snapshotPath(file: string, env: Env, home: string): string {
  return join(holdfastHome(env, home), "snapshots", `${hash(file)}.json`);
}

function readSnapshot(path: string): Snapshot | null {
  try {
    const stored: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!isDict(stored) || typeof stored.key !== "string" || !Array.isArray(stored.problems)) return null;
    return stored as unknown as Snapshot;
  } catch {
    return null;
  }
}

/** A snapshot that cannot be written costs time on the next call and nothing else. */
function writeSnapshot(path: string, snapshot: Snapshot): void {
  try {
    makePrivateDir(dirname(path));
    writeAtomic(path, JSON.stringify(snapshot), { mode: 0o600, replaceLink: true });
  } catch {
    // A full or read-only disk must not stop a hook.
  }
}

function result(file: string, from: Snapshot, warning: string | null): LoadedSettings {
  return {
    settings: from.settings ?? from.salvaged ?? defaultSettings,
    file,
    problems: from.problems,
    warning,
  };
}

function unreadable(file: string, error: unknown): LoadedSettings {
  const cause = causeOf(error);
  const hint = "Put a file there that you can read, or remove it; until then the built-in guards stay on.";
  const found = problem("HF302", "the manifest cannot be read", { where: { file }, cause, hint });
  const problems = [found];
  return {
    settings: defaultSettings,
    file,
    problems,
    warning: warningOf(file, { settings: null, problems }),
  };
}

function warningOf(file: string, compiled: Compiled): string | null {
  const first = compiled.problems.find((p) => p.severity === "error");
  if (first === undefined) return null;
  const { line, column } = first.where;
  const at = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const cause = first.cause === "" ? "" : ` (${first.cause})`;
  return `Holdfast: ${at}: ${first.message}${cause}. ${inForce(compiled)} See: holdfast doctor`;
}

function inForce({ settings, salvaged }: Compiled): string {
  if (settings !== null) return "The rest of the file is in force.";
  const beside = salvaged ? ", and the files its protect section names" : "";
  return `The built-in guards stay on${beside}.`;
}
