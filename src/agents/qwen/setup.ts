import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { hookGroup } from "../_family/group.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

const guarded = toolMatcher(["run_shell_command", "monitor", "write_file", "edit", "notebook_edit"]);

/** Where Qwen Code keeps its hooks (ran: 0.24.4; `QWEN_HOME` is the user folder itself). */
export const setup: AgentSetup = {
  agent,
  docs: "https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks",
  detect: { commands: ["qwen"], folders: [".qwen"], versionArgs: ["--version"] },
  marks: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"],
  scopes: ["project", "user"],
  files,
  activation: (scope) => ({
    kind: "new-session",
    words:
      scope === "project"
        ? "Takes effect in the next session; if folder trust is on, trust it."
        : "Takes effect in the next session.",
  }),
  offSwitches: [offWhen("disableAllHooks")],
  // source: 0.24.4, 2026-11-30
  settingsFiles: ({ env }) => [env.QWEN_CODE_SYSTEM_SETTINGS_PATH || "/etc/qwen-code/settings.json"],
  launch,
};

/**
 * Timeouts are milliseconds in 0.15.10 (ran) and seconds in 0.24.4, which takes 1000 and more for milliseconds
 * (source): so these mean the same in both.
 */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = settingsFile(scope, machine);
  if (file === null) return [];
  const more = { name: "holdfast" };
  return [
    hookGroup({
      file,
      at: ["hooks", "PreToolUse"],
      matcher: guarded,
      command: hookCommand("qwen", "pre-tool"),
      timeout: 30_000,
      more,
    }),
    hookGroup({
      file,
      at: ["hooks", "Stop"],
      command: hookCommand("qwen", "turn-end"),
      timeout: 600_000,
      more,
    }),
  ];
}

function settingsFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.QWEN_HOME || `${machine.home}/.qwen`}/settings.json`;
  return machine.root === null ? null : `${machine.root}/.qwen/settings.json`;
}
