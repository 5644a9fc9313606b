import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { exitHookCommand } from "../_family/command.ts";
import { agent } from "./index.ts";

const name = "holdfast-pre-tool";
const command = exitHookCommand("kiro", "pre-tool");

/** Built-in tools that write or run, and every MCP tool. */
const guarded =
  "^(execute_bash|execute_pwsh|shell|fs_write|write|fs_append|str_replace|delete_file|create_file|edit_file|apply_patch|@.*)$";

/** Where Kiro IDE 1 and CLI 3 keep hooks: every JSON file of the folder counts (docs, 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://kiro.dev/docs/hooks",
  detect: { commands: ["kiro-cli", "kiro"], folders: [".kiro"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "new-session",
    words:
      "Takes effect in the next session; the IDE shows a card for every hook it runs. Kiro cannot be sent back at the end of a turn: failing tests are caught when they are committed.",
  }),
  offSwitches: [],
  launch: null,
};

/** The timeout is seconds. Nothing is run at turn end, as nobody would hear the answer. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const base = scope === "user" ? machine.home : machine.root;
  if (base === null) return [];
  const file = `${base}/.kiro/hooks/holdfast.json`;
  const action = { type: "command", command };
  return [
    { kind: "json-key", file, key: "version", value: "v1" },
    {
      kind: "json-list",
      file,
      at: ["hooks"],
      value: { name, trigger: "PreToolUse", matcher: guarded, action, timeout: 30, enabled: true },
      // The command sits one level deeper than in other agents; the name tells whose the entry is.
      ours: [name, command],
    },
  ];
}
