import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { agent } from "./index.ts";

/** Where the Devin CLI keeps its hooks (docs: 3000.2.17, 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.devin.ai",
  detect: { commands: ["devin"], folders: [".config/devin"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: () => ({ kind: "new-session", words: "Takes effect in the next session." }),
  offSwitches: [],
  launch: null,
};

/** No matcher: the names of its file tools are not known. Timeouts are taken to be seconds (guess). */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const place = placeOf(scope, machine);
  if (place === null) return [];
  const { file, above } = place;
  return [
    hookGroup({ file, at: [...above, "PreToolUse"], command: hookCommand("devin", "pre-tool"), timeout: 30 }),
    hookGroup({ file, at: [...above, "Stop"], command: hookCommand("devin", "turn-end"), timeout: 600 }),
  ];
}

/** The project's file is the list of events itself; in the user's file other settings stand beside it. */
function placeOf(scope: Scope, machine: Machine): { file: string; above: readonly string[] } | null {
  if (scope === "user") {
    const config = machine.env.XDG_CONFIG_HOME || `${machine.home}/.config`;
    return { file: `${config}/devin/config.json`, above: ["hooks"] };
  }
  return machine.root === null ? null : { file: `${machine.root}/.devin/hooks.v1.json`, above: [] };
}
