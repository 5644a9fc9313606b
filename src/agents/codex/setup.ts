import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { hookCommand, windowsHookCommand } from "../_family/command.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";
import { transcripts } from "./transcripts.ts";

const preTool = hookCommand("codex", "pre-tool");
const turnEnd = hookCommand("codex", "turn-end");

/** Where Codex keeps its hooks (ran: 0.171.0). Trust is keyed by position, so entries are only appended. */
export const setup: AgentSetup = {
  agent,
  docs: "https://developers.openai.com/codex/hooks",
  detect: { commands: ["codex"], folders: [".codex"], versionArgs: ["--version"] },
  marks: ["CODEX_SANDBOX*", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI", "CODEX_MANAGED_*"],
  scopes: ["project", "user"],
  files,
  activation: (scope) => ({
    kind: "trust",
    words:
      scope === "project"
        ? "Start codex here, trust the project, type /hooks and approve the holdfast hooks; until then Codex runs none and says nothing."
        : "Start codex, type /hooks and approve the holdfast hooks; until then Codex runs none and says nothing.",
  }),
  offSwitches: [offWhen("features.hooks", false), offWhen("allow_managed_hooks_only")],
  // Feature switches and the trust in hooks stand beside the hooks (ran: 0.171.0).
  settingsFiles: (machine) => [
    ...(["user", "project"] as const).flatMap((scope) => {
      const file = hooksFile(scope, machine);
      return file === null ? [] : [file.replace(/hooks\.json$/, "config.toml")];
    }),
    ...["config.toml", "managed_config.toml", "requirements.toml"].map((name) => `/etc/codex/${name}`),
  ],
  transcripts,
  launch,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = hooksFile(scope, machine);
  if (file === null) return [];
  const plan = (
    event: string,
    command: string,
    canonical: string,
    more: Record<string, unknown>,
    timeout: number,
  ) =>
    ({
      kind: "json-list",
      file,
      at: ["hooks", event],
      value: {
        ...more,
        hooks: [
          { type: "command", command, commandWindows: windowsHookCommand("codex", canonical), timeout },
        ],
      },
      ours: [command],
      strict: true,
      positional: true,
    }) as const;
  return [
    plan("PreToolUse", preTool, "pre-tool", { matcher: toolMatcher(["Bash", "apply_patch"]) }, 30),
    plan("Stop", turnEnd, "turn-end", {}, 600),
  ];
}

function hooksFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.CODEX_HOME || `${machine.home}/.codex`}/hooks.json`;
  return machine.root === null ? null : `${machine.root}/.codex/hooks.json`;
}
