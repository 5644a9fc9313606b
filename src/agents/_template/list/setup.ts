import type { AgentSetup, FilePlan, Machine, Scope } from "../../../core/setup.ts";
import { hookCommand } from "../../_family/command.ts";
import { toolMatcher } from "../../_family/matcher.ts";
import { agent } from "./index.ts";

/** Tools that write or run something; every match costs a process start, so reads are left out. */
const guarded = toolMatcher(["shell", "write_file", "edit_file"]);

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
  const file = hooksFile(scope, machine);
  if (file === null) return [];
  const plan = (native: string, command: string, more: Readonly<Record<string, unknown>>): FilePlan => ({
    kind: "json-list",
    file,
    at: ["hooks", native],
    value: { command, ...more },
    ours: [command],
  });
  return [
    plan("before_tool", hookCommand("newcomer", "pre-tool"), { matcher: guarded, timeout: 30 }),
    plan("turn_end", hookCommand("newcomer", "turn-end"), { timeout: 600 }),
  ];
}

function hooksFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.NEWCOMER_HOME || `${machine.home}/.newcomer`}/hooks.json`;
  return machine.root === null ? null : `${machine.root}/.newcomer/hooks.json`;
}
