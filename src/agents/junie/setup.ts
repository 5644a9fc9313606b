import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { agent } from "./index.ts";

/** Where the Junie CLI reads hooks: only the user's file, a project's are ignored for safety (docs, 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://junie.jetbrains.com/docs",
  detect: { commands: ["junie"], folders: [".junie"], versionArgs: ["--version"] },
  scopes: ["user"],
  files,
  activation: () => ({
    kind: "new-session",
    words:
      "Takes effect in the next session. Whether Junie obeys has not been seen by anybody we know of: watch the first refusal.",
  }),
  offSwitches: [],
  launch: null,
};

/** Timeouts are seconds, 10 where nothing is said. `blockOnError` stays off: a broken Holdfast holds nobody up. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  if (scope !== "user") return [];
  const file = `${machine.home}/.junie/config.json`;
  return [
    hookGroup({
      file,
      at: ["hooks", "PreToolUse"],
      matcher: ".*",
      command: hookCommand("junie", "pre-tool"),
      timeout: 30,
    }),
    hookGroup({ file, at: ["hooks", "Stop"], command: hookCommand("junie", "turn-end"), timeout: 600 }),
  ];
}
