import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { agent } from "./index.ts";

/** Where Deep Agents Code keeps its hooks (source: 0.1.52, 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.langchain.com/oss/python/deepagents/code/hooks",
  detect: { commands: ["dcode", "deepagents"], folders: [".deepagents"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: (scope) => ({
    kind: scope === "project" ? "folder-trust" : "new-session",
    words:
      scope === "project"
        ? "Takes effect in the next session, once you have agreed to this project's hooks: start dcode here and allow them."
        : "Takes effect in the next session.",
  }),
  offSwitches: [],
  launch: null,
};

/** Timeouts are seconds. No matcher: its tools depend on how it was set up. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const base = scope === "user" ? machine.home : machine.root;
  if (base === null) return [];
  const file = `${base}/.deepagents/hooks.json`;
  return [
    hookGroup({
      file,
      at: ["hooks", "PreToolUse"],
      command: hookCommand("deepagents", "pre-tool"),
      timeout: 30,
    }),
    hookGroup({ file, at: ["hooks", "Stop"], command: hookCommand("deepagents", "turn-end"), timeout: 600 }),
  ];
}
