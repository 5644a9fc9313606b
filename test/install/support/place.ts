import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { FilePlan, Machine, Scope } from "../../../src/core/setup.ts";
import { applyInstall, type Site } from "../../../src/install/apply.ts";
import { isLedgerProblem, type Ledger, readLedger } from "../../../src/install/ledger.ts";
import { type InstallPlan, type PlanItem, planInstall } from "../../../src/install/plan.ts";
import { applyUninstall, planUninstall, type UninstallPlan } from "../../../src/install/uninstall.ts";

export const command = 'h="$HOME/.holdfast/bin/holdfast"; "$h" hook claude-code pre-tool || exit 0';
export const stopCommand = 'h="$HOME/.holdfast/bin/holdfast"; "$h" hook claude-code turn-end || exit 0';

export type JsonListPlan = Extract<FilePlan, { kind: "json-list" }>;

/** The plans an agent with Claude Code's settings makes for one file. */
export function settingsPlans(file: string, more: Partial<JsonListPlan> = {}): JsonListPlan[] {
  return [
    {
      kind: "json-list",
      file,
      at: ["hooks", "PreToolUse"],
      value: { matcher: "Bash|Write", hooks: [{ type: "command", command, timeout: 30 }] },
      ours: [command],
      ...more,
    },
    {
      kind: "json-list",
      file,
      at: ["hooks", "Stop"],
      value: { hooks: [{ type: "command", command: stopCommand, timeout: 600 }] },
      ours: [stopCommand],
      ...more,
    },
  ];
}

/** The plans an agent makes that keeps its hooks as tables of a TOML file. */
export function tomlPlans(file: string): FilePlan[] {
  const at = ["hooks"];
  const value = (event: string, own: string, timeout: number) => ({ event, command: own, timeout });
  return [
    { kind: "toml-list", file, at, value: value("PreToolUse", command, 30), ours: [command] },
    { kind: "toml-list", file, at, value: value("Stop", stopCommand, 600), ours: [stopCommand] },
  ];
}

/** The plans an agent makes that keeps its hooks as lists of a YAML file. */
export function yamlPlans(file: string): FilePlan[] {
  const plan = (event: string, own: string, timeout: number): FilePlan => ({
    kind: "yaml-list",
    file,
    at: ["hooks", event],
    value: { matcher: "terminal|write_file", command: own, timeout },
    ours: [own],
  });
  return [plan("pre_tool_call", command, 30), plan("on_turn_end", stopCommand, 600)];
}

/** A home, a project and a Holdfast home in a temp folder of their own. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly site: Site;
}

export function createPlace(): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-install-")));
  const root = join(base, "project");
  const home = join(base, "home");
  mkdirSync(root);
  mkdirSync(home);
  const machine: Machine = { home, root, env: {}, platform: process.platform, gitHooks: null };
  const site = {
    holdfastHome: join(home, ".holdfast"),
    machine,
    version: "1.2.3",
    now: new Date("2026-11-30T10:00:00Z"),
  };
  return { root, home, site };
}

export function put(file: string, content: string | Buffer, mode?: number): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, mode === undefined ? {} : { mode });
  return file;
}

export function items(
  place: Place,
  plans: readonly FilePlan[],
  agent = "claude-code",
  scope: Scope = "project",
): PlanItem[] {
  return plans.map((plan) => ({ owner: { agent, scope }, root: scope === "user" ? null : place.root, plan }));
}

export function ledgerOf(place: Place): Ledger {
  const ledger = readLedger(place.site.holdfastHome);
  if (isLedgerProblem(ledger)) throw new Error(ledger.message);
  return ledger;
}

export function plan(
  place: Place,
  wanted: readonly PlanItem[],
  overwrite: readonly string[] = [],
): InstallPlan {
  const { machine } = place.site;
  return planInstall({ items: wanted, machine, ledger: ledgerOf(place), overwrite: new Set(overwrite) });
}

/** Plans and applies; throws when anything is refused, so that a test of success cannot pass by accident. */
export function install(place: Place, wanted: readonly PlanItem[]): InstallPlan {
  const made = plan(place, wanted);
  if (made.refused.length > 0) throw new Error(JSON.stringify(made.refused));
  const applied = applyInstall(made, place.site);
  if (applied.problem !== null) throw new Error(JSON.stringify(applied.problem));
  return made;
}

export function uninstall(
  place: Place,
  known: readonly PlanItem[] = [],
  agent: string | null = null,
): UninstallPlan {
  const made = planUninstall({
    ledger: ledgerOf(place),
    leaving: (owner) => agent === null || owner.agent === agent,
    items: known,
    machine: place.site.machine,
    holdfastHome: place.site.holdfastHome,
  });
  const applied = applyUninstall(made, place.site);
  if (applied.problem !== null) throw new Error(JSON.stringify(applied.problem));
  return made;
}

/** Every file below a folder: content, permission bits, where links lead. Times are left out. */
export function picture(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const kind = stats.isSymbolicLink()
      ? `-> ${readlinkSync(path)}`
      : stats.isDirectory()
        ? "folder"
        : readFileSync(path).toString("base64");
    found[relative(folder, path)] = `${stats.mode & 0o777} ${kind}`;
  }
  return found;
}
