import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

const guarded = toolMatcher(["run_terminal_command", "search_replace", "write"], ".*__.*");

/** Where Grok keeps its hooks (ran: 1.0.41; `GROK_HOME` docs): every JSON file of the folder counts. */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.x.ai/build/hooks",
  detect: { commands: ["grok"], folders: [".grok"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: (scope) =>
    scope === "project"
      ? {
          kind: "folder-trust",
          words:
            "Start grok here and type /hooks-trust, or start it once with --trust; until then Grok skips these hooks in silence.",
        }
      : {
          kind: "new-session",
          words: "Takes effect in the next session, or with r in the Hooks tab of /hooks.",
        },
  offSwitches: [
    offWhen("allow_managed_hooks_only"),
    offWhen("allowManagedHooksOnly"),
    // docs: the guide that comes with 1.0.41
    { kind: "mention", file: (machine) => `${grokHome(machine)}/disabled-hooks` },
  ],
  settingsFiles: (machine) =>
    ["requirements.toml", "managed_config.toml"].flatMap((name) => [
      `${grokHome(machine)}/${name}`,
      `/etc/grok/${name}`,
    ]),
  launch,
};

/** Timeouts are seconds; without one a hook has 5 (ran). */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = grokFolder(scope, machine);
  if (folder === null) return [];
  const file = `${folder}/hooks/holdfast.json`;
  return [
    hookGroup({
      file,
      at: ["hooks", "PreToolUse"],
      matcher: guarded,
      command: hookCommand("grok", "pre-tool"),
      timeout: 30,
    }),
    hookGroup({ file, at: ["hooks", "Stop"], command: hookCommand("grok", "turn-end"), timeout: 600 }),
  ];
}

function grokHome(machine: Machine): string {
  return machine.env.GROK_HOME || `${machine.home}/.grok`;
}

function grokFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return grokHome(machine);
  return machine.root === null ? null : `${machine.root}/.grok`;
}
