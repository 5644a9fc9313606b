import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen, offWhenManaged } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";
import { transcripts } from "./transcripts.ts";

const preTool = hookCommand("claude-code", "pre-tool");
const turnEnd = hookCommand("claude-code", "turn-end");
const guarded = toolMatcher(["Bash", "PowerShell", "Monitor", "Write", "Edit", "MultiEdit", "NotebookEdit"]);

/** Where Claude Code keeps its hooks (ran: 2.1.332; `CLAUDE_CONFIG_DIR` moves the user folder). */
export const setup: AgentSetup = {
  agent,
  docs: "https://code.claude.com/docs/en/hooks",
  detect: { commands: ["claude"], folders: [".claude"], versionArgs: ["--version"] },
  marks: [
    "CLAUDECODE",
    "CLAUDE_PID",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_CHILD_SESSION",
  ],
  scopes: ["project", "user", "local"],
  files,
  // Started below the root it does not read the root's settings (ran: 2.1.332 headless, 2026-11-30).
  activation: (scope) => ({
    kind: "new-session",
    words: `Takes effect in the next session (now: open /hooks once), in folders you trust${
      scope === "user" ? "." : ", if started right here; in sub-folders use --scope user."
    }`,
  }),
  // ran for the first in user settings, source for the rest: 2.1.332, 2026-11-30
  offSwitches: [
    offWhen("disableAllHooks"),
    offWhenManaged("allowManagedHooksOnly"),
    offWhenManaged("strictPluginOnlyCustomization"),
    offWhenManaged("strictPluginOnlyCustomization", "named"),
  ],
  settingsFiles,
  transcripts,
  launch,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = settingsFile(scope, machine);
  if (file === null) return [];
  const entry = (command: string, timeout: number) => ({ type: "command", command, timeout });
  return [
    {
      kind: "json-list",
      file,
      at: ["hooks", "PreToolUse"],
      value: { matcher: guarded, hooks: [entry(preTool, 30)] },
      ours: [preTool],
      strict: true,
    },
    // Tests may take 9 minutes; Claude Code's own limit must come after ours.
    {
      kind: "json-list",
      file,
      at: ["hooks", "Stop"],
      value: { hooks: [entry(turnEnd, 600)] },
      ours: [turnEnd],
      strict: true,
    },
  ];
}

function settingsFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.CLAUDE_CONFIG_DIR || `${machine.home}/.claude`}/settings.json`;
  if (machine.root === null) return null;
  return `${machine.root}/.claude/${scope === "local" ? "settings.local.json" : "settings.json"}`;
}

/** What an administrator set, besides the person's own files, and the drop-ins beside it (source: 2.1.332). */
function settingsFiles({ platform }: Machine): readonly string[] {
  const folders: Readonly<Record<string, string>> = {
    darwin: "/Library/Application Support/ClaudeCode",
    win32: "C:/Program Files/ClaudeCode",
  };
  const folder = folders[platform] ?? "/etc/claude-code";
  return [`${folder}/managed-settings.json`, `${folder}/managed-settings.d/*.json`];
}
