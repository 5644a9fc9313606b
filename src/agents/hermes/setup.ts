import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { agent } from "./index.ts";

const preTool = inShell(hookCommand("hermes", "pre-tool"));
const turnEnd = inShell(hookCommand("hermes", "turn-end"));

/** Where Hermes keeps its hooks: its one user file (source, 2026-11-30; `HERMES_HOME` moves it). */
export const setup: AgentSetup = {
  agent,
  docs: "https://hermes-agent.nousresearch.com/docs",
  detect: { commands: ["hermes"], folders: [".hermes"], versionArgs: ["--version"] },
  scopes: ["user"],
  files,
  activation: () => ({
    kind: "trust",
    words:
      "Hermes runs a hook only after you agreed to it once: start hermes in a terminal and say yes to both holdfast hooks, or start it once with --accept-hooks. Without a terminal it skips them in silence. `hermes hooks list` shows them.",
  }),
  offSwitches: [{ kind: "variable", name: "HERMES_SAFE_MODE" }],
  launch: null,
};

/** Timeouts are seconds, 300 at most: tests that take longer are cut off there and the turn ends. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  if (scope !== "user") return [];
  const file = `${machine.env.HERMES_HOME || `${machine.home}/.hermes`}/config.yaml`;
  const plan = (
    event: string,
    value: Readonly<Record<string, string | number>>,
    command: string,
  ): FilePlan => ({
    kind: "yaml-list",
    file,
    at: ["hooks", event],
    value,
    ours: [command],
  });
  return [
    plan("pre_tool_call", { matcher: guarded, command: preTool, timeout: 30 }, preTool),
    plan("pre_verify", { command: turnEnd, timeout: 300 }, turnEnd),
  ];
}

/** Must fit the whole name. MCP tools have no common beginning, so reads are left out instead. */
const guarded = "(?!read_|search_|web_|todo|list_|get_).*";

/** Hermes splits the command into words and starts it without a shell. */
function inShell(command: string): string {
  return `sh -c '${command}'`;
}
