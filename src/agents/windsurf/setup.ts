import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { exitHookCommand, refusedLine } from "../_family/command.ts";
import { agent } from "./index.ts";

/** Where Windsurf's Cascade keeps its hooks (docs, 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.windsurf.com/windsurf/cascade/hooks",
  detect: { commands: ["windsurf"], folders: [".codeium/windsurf"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "restart",
    words:
      "Restart Windsurf. Cascade cannot be sent back at the end of a turn: you are told when tests fail, and they are caught when they are committed.",
  }),
  offSwitches: [],
  launch: null,
};

/** There is no matcher: the event itself says what is about to happen. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = hooksFile(scope, machine);
  if (file === null) return [];
  const plan = (native: string, event: string): FilePlan => {
    const command = exitHookCommand("windsurf", event);
    return {
      kind: "json-list",
      file,
      at: ["hooks", native],
      value: { command, powershell: powershell(event), show_output: true },
      ours: [command],
    };
  };
  return [
    plan("pre_write_code", "pre-tool"),
    plan("pre_run_command", "pre-tool"),
    plan("pre_mcp_tool_use", "pre-tool"),
    plan("post_cascade_response", "turn-end"),
  ];
}

/** Not run: no Windows machine was at hand. */
function powershell(event: string): string {
  return `if (Get-Command holdfast -ErrorAction SilentlyContinue) { $s = $input | holdfast hook windsurf ${event}; if ($s -eq '${refusedLine}') { exit 2 }; $s }; exit 0`;
}

function hooksFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.home}/.codeium/windsurf/hooks.json`;
  return machine.root === null ? null : `${machine.root}/.windsurf/hooks.json`;
}
