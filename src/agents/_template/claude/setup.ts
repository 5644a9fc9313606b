import type { AgentSetup, FilePlan, Machine, Scope } from "../../../core/setup.ts";
import { hookCommand } from "../../_family/command.ts";
import { hookGroup } from "../../_family/group.ts";
import { toolMatcher } from "../../_family/matcher.ts";
import { agent } from "./index.ts";

/** Tools that write or run something; every match costs a process start, so reads are left out. */
const guarded = toolMatcher(["Bash", "Write", "Edit"]);

/** Where Newcomer keeps its hooks (guess, 2000-01-01). */
export const setup: AgentSetup = {
  agent,
  docs: "https://example.org/newcomer/hooks",
  detect: { commands: ["newcomer"], folders: [".newcomer"], versionArgs: ["--version"] },
  marks: [],
  scopes: ["project", "user"],
  files,
  activation: () => ({ kind: "new-session", words: "Takes effect in the next session." }),
  offSwitches: [],
  launch: null,
};

/** Timeouts are seconds (guess). Tests may take 9 minutes; the agent's own limit must come after ours. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = settingsFile(scope, machine);
  if (file === null) return [];
  return [
    hookGroup({
      file,
      at: ["hooks", "PreToolUse"],
      matcher: guarded,
      command: hookCommand("newcomer", "pre-tool"),
      timeout: 30,
    }),
    hookGroup({ file, at: ["hooks", "Stop"], command: hookCommand("newcomer", "turn-end"), timeout: 600 }),
  ];
}

function settingsFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.NEWCOMER_HOME || `${machine.home}/.newcomer`}/settings.json`;
  return machine.root === null ? null : `${machine.root}/.newcomer/settings.json`;
}
