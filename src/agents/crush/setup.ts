import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";

const preTool = hookCommand("crush", "pre-tool");
const guarded = toolMatcher(["bash", "write", "edit", "multiedit", "download"], "mcp_.*");

/** Where Crush keeps its hooks (source: 0.96, 2026-11-30; `CRUSH_GLOBAL_CONFIG` names the user's folder). */
export const setup: AgentSetup = {
  agent,
  docs: "https://github.com/charmbracelet/crush/tree/main/docs/hooks",
  detect: { commands: ["crush"], folders: [".config/crush"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "new-session",
    words:
      "Takes effect when Crush starts anew. It has no hook at the end of a turn and none for sub-agents: failing tests and what sub-agents did are caught when they are committed.",
  }),
  offSwitches: [],
  launch: null,
};

/** The timeout is seconds. The command runs in Crush's own POSIX shell, also on Windows. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = configFile(scope, machine);
  if (file === null) return [];
  const value = { name: "holdfast", matcher: guarded, command: preTool, timeout: 30 };
  return [{ kind: "json-list", file, at: ["hooks", "PreToolUse"], value, ours: [preTool] }];
}

/** `.crush.json` works as well; both are read. */
function configFile(scope: Scope, machine: Machine): string | null {
  const { env, home, root } = machine;
  if (scope === "user") {
    return `${env.CRUSH_GLOBAL_CONFIG || `${env.XDG_CONFIG_HOME || `${home}/.config`}/crush`}/crush.json`;
  }
  return root === null ? null : `${root}/crush.json`;
}
