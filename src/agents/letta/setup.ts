import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { exitHookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { agent } from "./index.ts";

/** Where Letta Code keeps its hooks (source: 0.30.29, 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.letta.com/letta-code/hooks",
  detect: { commands: ["letta"], folders: [".letta"], versionArgs: ["--version"] },
  scopes: ["project", "user", "local"],
  files,
  activation: () => ({ kind: "new-session", words: "Takes effect in the next session." }),
  offSwitches: [offWhen("hooks.disabled")],
  launch: null,
};

/** Timeouts are milliseconds. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = settingsFile(scope, machine);
  if (file === null) return [];
  return [
    hookGroup({
      file,
      at: ["hooks", "PreToolUse"],
      matcher: "*",
      command: exitHookCommand("letta", "pre-tool"),
      timeout: 30_000,
    }),
    hookGroup({
      file,
      at: ["hooks", "Stop"],
      command: exitHookCommand("letta", "turn-end"),
      timeout: 600_000,
    }),
  ];
}

function settingsFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.home}/.letta/settings.json`;
  if (machine.root === null) return null;
  return `${machine.root}/.letta/${scope === "local" ? "settings.local.json" : "settings.json"}`;
}
