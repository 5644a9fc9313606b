import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { lastHookCommand } from "../_family/command.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";

const preTool = lastHookCommand("cursor", "pre-tool");
const turnEnd = lastHookCommand("cursor", "turn-end");
const guarded = toolMatcher(["Write", "Delete", "Edit", "StrReplace", "TabWrite"], "MCP:.*");

/** Where Cursor keeps its hooks (source: @cursor/sdk 1.0.32, 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://cursor.com/docs/agent/hooks",
  detect: { commands: ["cursor", "cursor-agent"], folders: [".cursor"], versionArgs: ["--version"] },
  marks: ["CURSOR_AGENT"],
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "restart",
    words: "Restart Cursor, or open Settings > Hooks: it must list the Holdfast hooks there.",
  }),
  offSwitches: [],
  launch: null,
};

/**
 * Timeouts are seconds. Shell commands go through the one event that can ask. One unknown event name, a missing
 * version or a bad entry makes Cursor drop the whole file (source).
 */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const base = scope === "user" ? machine.home : machine.root;
  if (base === null) return [];
  const file = `${base}/.cursor/hooks.json`;
  const plan = (event: string, command: string, more: Readonly<Record<string, unknown>>): FilePlan => ({
    kind: "json-list",
    file,
    at: ["hooks", event],
    value: { command, ...more },
    ours: [command],
  });
  return [
    { kind: "json-key", file, key: "version", value: 1 },
    plan("beforeShellExecution", preTool, { timeout: 30 }),
    plan("preToolUse", preTool, { matcher: guarded, timeout: 30 }),
    // Ours is the limit that counts; Cursor's own would be 5 send-backs.
    plan("stop", turnEnd, { timeout: 600, loop_limit: 20 }),
  ];
}
