import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

const guarded = toolMatcher(["run_shell_command", "write_file", "replace"], "mcp_.*");

/** Where Gemini CLI keeps its hooks (ran: 0.61.0; `GEMINI_CLI_HOME` moves the home, source). */
export const setup: AgentSetup = {
  agent,
  docs: "https://geminicli.com/docs/hooks",
  detect: { commands: ["gemini"], folders: [".gemini"], versionArgs: ["--version"] },
  marks: ["GEMINI_CLI", "GEMINI_SESSION_ID"],
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "folder-trust",
    words:
      "Start gemini here and trust the folder; /hooks then lists them. Without a terminal: GEMINI_CLI_TRUST_WORKSPACE=true.",
  }),
  offSwitches: [offWhen("hooksConfig.enabled", false), offWhen("hooksConfig.disabled", "named")],
  // source: 0.61.0, 2026-11-30
  settingsFiles: ({ env }) => [env.GEMINI_CLI_SYSTEM_SETTINGS_PATH || "/etc/gemini-cli/settings.json"],
  launch,
};

/** Timeouts are milliseconds here. `name` is what `/hooks disable` takes. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = settingsFile(scope, machine);
  if (file === null) return [];
  const more = { name: "holdfast" };
  return [
    hookGroup({
      file,
      at: ["hooks", "BeforeTool"],
      matcher: guarded,
      command: hookCommand("gemini", "pre-tool"),
      timeout: 30_000,
      more,
    }),
    hookGroup({
      file,
      at: ["hooks", "AfterAgent"],
      command: hookCommand("gemini", "turn-end"),
      timeout: 600_000,
      more,
    }),
  ];
}

function settingsFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.GEMINI_CLI_HOME || machine.home}/.gemini/settings.json`;
  return machine.root === null ? null : `${machine.root}/.gemini/settings.json`;
}
