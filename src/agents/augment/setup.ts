import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

const preTool = hookCommand("augment", "pre-tool");
const guarded = "^(launch-process|save-file|str-replace-editor|apply_patch|remove-files)$";

/** Where Auggie keeps its hooks (ran: 0.36.0, user and project scope; the local file source). */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.augmentcode.com/cli/hooks",
  detect: { commands: ["auggie"], folders: [".augment"], versionArgs: ["--version"] },
  scopes: ["project", "user", "local"],
  files,
  activation: () => ({
    kind: "new-session",
    words:
      "Takes effect in the next session, if Augment has hooks switched on for your account: type /hooks in auggie, which must list them. Auggie cannot be sent back at the end of a turn: you are told when tests fail.",
  }),
  offSwitches: [],
  launch,
};

/** Timeouts are milliseconds. A matcher for built-in tools fits no MCP tool, which have one of their own (source). */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = settingsFile(scope, machine);
  if (file === null) return [];
  const at = ["hooks", "PreToolUse"];
  // Another spelling of the same event: an entry is known as ours by its whole command.
  const mcp = hookCommand("augment", "PreToolUse");
  return [
    hookGroup({ file, at, matcher: guarded, command: preTool, timeout: 30_000 }),
    hookGroup({ file, at, matcher: "mcp:*", command: mcp, timeout: 30_000 }),
    hookGroup({ file, at: ["hooks", "Stop"], command: hookCommand("augment", "turn-end"), timeout: 600_000 }),
  ];
}

function settingsFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.home}/.augment/settings.json`;
  if (machine.root === null) return null;
  return `${machine.root}/.augment/${scope === "local" ? "settings.local.json" : "settings.json"}`;
}
