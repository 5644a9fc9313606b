import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { hookCommand, powershellHookCommand } from "../_family/command.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

/** A matcher must fit the whole name (ran: 1.0.102); MCP tools are `<server>-<tool>`. */
const guarded = toolMatcher(
  [
    "bash",
    "powershell",
    "local_shell",
    "write_bash",
    "write_powershell",
    "create",
    "edit",
    "insert",
    "str_replace",
    "str_replace_editor",
    "apply_patch",
  ],
  ".*-.*",
);

/** Where Copilot CLI keeps its hooks (ran: 1.0.102): every JSON file of the folder counts. */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.github.com/en/copilot/reference/hooks-configuration",
  detect: { commands: ["copilot"], folders: [".copilot"], versionArgs: ["--version"] },
  marks: ["COPILOT_CLI"],
  scopes: ["project", "user"],
  files,
  activation: (scope) =>
    scope === "project"
      ? {
          kind: "folder-trust",
          words:
            "Start copilot here and trust the folder; takes effect in the next session. Until then runs with -p need --trust-folder.",
        }
      : { kind: "new-session", words: "Takes effect in the next session." },
  offSwitches: [offWhen("disableAllHooks"), offWhen("allowManagedHooksOnly")],
  settingsFiles,
  launch,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = hooksFolder(scope, machine);
  if (folder === null) return [];
  return [
    plan(folder, "preToolUse", "pre-tool", 30, { matcher: guarded }),
    plan(folder, "agentStop", "turn-end", 600, {}),
  ];
}

/** Timeouts are seconds. A hook that fails any other way denies the call (ran), hence the guarded command. */
function plan(
  folder: string,
  native: string,
  event: string,
  timeoutSec: number,
  more: Readonly<Record<string, unknown>>,
): FilePlan {
  const bash = hookCommand("copilot", event);
  return {
    kind: "json-list",
    file: `${folder}/holdfast.json`,
    at: ["hooks", native],
    value: {
      ...more,
      type: "command",
      bash,
      powershell: powershellHookCommand("copilot", event),
      timeoutSec,
    },
    ours: [bash],
  };
}

/** Settings of the person and of the repository (docs: 1.0.102), and an administrator's policies (source, by its strings: 1.0.102). */
function settingsFiles(machine: Machine): readonly string[] {
  const home = machine.env.COPILOT_HOME || `${machine.home}/.copilot`;
  const policies = "/etc/github-copilot/policy.d/*.json";
  const own = [...["settings.json", "config.json"].map((name) => `${home}/${name}`), policies];
  if (machine.root === null) return own;
  const project = ["settings.json", "settings.local.json"];
  return [...own, ...project.map((name) => `${machine.root}/.github/copilot/${name}`)];
}

function hooksFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.COPILOT_HOME || `${machine.home}/.copilot`}/hooks`;
  return machine.root === null ? null : `${machine.root}/.github/hooks`;
}
