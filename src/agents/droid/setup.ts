import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

const guarded = toolMatcher(["Execute", "Create", "Edit", "MultiEdit", "ApplyPatch"], ".*___.*");

/** Where Factory Droid keeps its hooks (ran: 0.225.2; `FACTORY_HOME_OVERRIDE` moves the home, source). */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.factory.ai/reference/hooks-reference",
  detect: { commands: ["droid"], folders: [".factory"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: () => ({ kind: "new-session", words: "Takes effect in the next session." }),
  offSwitches: [
    offWhen("hooksDisabled"),
    offWhen("allowManagedHooksOnly"),
    // Event by event; its events stand at the top, without `hooks` around them (ran: 0.225.2, project scope).
    { kind: "shadow", name: "hooks.json", keys: ["PreToolUse", "Stop"] },
  ],
  launch,
};

/**
 * Timeouts are seconds. A `hooks.json` beside the settings replaces them event by event (ran), so writing one
 * would switch the person's own hooks off; ours go where they do no harm.
 */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = factoryFolder(scope, machine);
  if (folder === null) return [];
  const file = `${folder}/settings.json`;
  return [
    hookGroup({
      file,
      at: ["hooks", "PreToolUse"],
      matcher: guarded,
      command: hookCommand("droid", "pre-tool"),
      timeout: 30,
    }),
    hookGroup({ file, at: ["hooks", "Stop"], command: hookCommand("droid", "turn-end"), timeout: 600 }),
  ];
}

function factoryFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.FACTORY_HOME_OVERRIDE || machine.home}/.factory`;
  return machine.root === null ? null : `${machine.root}/.factory`;
}
