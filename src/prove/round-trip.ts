import { appendFileSync, existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentSetup, Machine, Scope } from "../core/setup.ts";
import { type Ran, run } from "./process.ts";
import type { Restored } from "./proofs.ts";
import { changes, type Snapshot, snapshot } from "./snapshot.ts";
import { type Theatre, testCommand, writeTree } from "./stage.ts";

/** Holdfast, put into a stage by its own command line. */
export interface Installed {
  readonly scope: Scope;
  /** The arguments that did it. */
  readonly args: readonly string[];
  readonly before: Snapshot;
  /** Paths below the stage that install changed or made. */
  readonly touched: readonly string[];
}

/** What went wrong, as text for the person. */
export interface Trouble {
  readonly trouble: string;
}

/** Runs `holdfast install` in the stage and notes what it changed. */
export async function install(
  setup: AgentSetup,
  scope: Scope,
  theatre: Theatre,
  holdfast: readonly string[],
): Promise<Installed | Trouble> {
  const before = configSnapshot(theatre);
  const agent = ["--agent", setup.agent.id, "--scope", scope];
  const args = ["install", "--yes", ...agent, "--test-command", testCommand];
  const ran = await runIn(theatre, [...holdfast, ...args]);
  if (ran.exitCode !== 0) return { trouble: `install failed (${scope} scope): ${lastWords(ran)}` };
  const touched = changes(before, configSnapshot(theatre)).filter((path) => isOurs(path, theatre));
  return { scope, args, before, touched };
}

/** Runs `holdfast uninstall` in the stage and compares every byte that install had touched. */
export async function uninstall(
  { scope, before, touched }: Installed,
  setup: AgentSetup,
  theatre: Theatre,
  holdfast: readonly string[],
): Promise<Restored | Trouble> {
  const args = ["uninstall", "--yes", "--agent", setup.agent.id, "--scope", scope];
  const ran = await runIn(theatre, [...holdfast, ...args]);
  if (ran.exitCode !== 0) return { trouble: `uninstall failed (${scope} scope): ${lastWords(ran)}` };
  const now = configSnapshot(theatre);
  return { touched, different: changes(before, now).filter((path) => touched.includes(path)) };
}

/**
 * Writes configs that are there already, spelled as no program would: what comes back must be these bytes.
 * Those the agent needs for the proof stay as they are.
 */
export function seedConfigs(setup: AgentSetup, { home, project }: Theatre): void {
  const machine: Machine = { home, root: project, env: {}, platform: process.platform, gitHooks: null };
  const plans = (["project", "user"] as const).flatMap((scope) => setup.files(scope, machine));
  const lists = plans.flatMap((plan) => (plan.kind === "json-list" && plan.at.length > 1 ? [plan] : []));
  const tables = plans.flatMap((plan) => (plan.kind === "toml-list" ? [plan.file] : []));
  for (const file of new Set(tables)) appendFileSync(file, "# The last line, without an end");
  for (const { file, at } of lists) {
    if (!existsSync(file)) writeTree("/", { [file.slice(1)]: `{\n\t"${at[0]}" : { }\n}` });
  }
}

/**
 * Install asks the agent for its version, and an agent writes to its home whenever it starts. What is
 * Holdfast's names it, in its path or in its text; what is gone from the project counts as well.
 */
function isOurs(path: string, { root }: Theatre): boolean {
  const file = join(root, path);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return path.startsWith("project/");
  return /holdfast/i.test(path) || (stat.isFile() && /holdfast/i.test(readFileSync(file, "utf8")));
}

/** Holdfast's own folder is left out: it keeps the journal and the backups. */
function configSnapshot({ root }: Theatre): Snapshot {
  return snapshot(root, ["home/.holdfast", "tmp", "remote.git", "project/.git/objects"]);
}

function runIn(theatre: Theatre, argv: readonly string[]): Promise<Ran> {
  return run(argv, { cwd: theatre.project, env: theatre.env, timeoutMs: 60_000 });
}

function lastWords({ cause, stderr, stdout }: Ran): string {
  return (cause || stderr.trim() || stdout.trim()).split("\n").slice(-4).join(" / ").slice(-400);
}
