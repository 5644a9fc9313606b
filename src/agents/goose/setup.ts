import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

const preTool = hookCommand("goose", "pre-tool");
const turnEnd = hookCommand("goose", "turn-end");
// MCP tools are named `<extension>__<tool>`, and older versions put `developer__` before their own.
const guarded = toolMatcher(["shell", "write", "edit", "developer__text_editor"], "[^_]+.*__.*");

/**
 * Where Goose finds hooks: any folder below `.agents/plugins` (ran: 1.52.0; `GOOSE_PATH_ROOT` source). It takes
 * up a new plugin by itself and notes it in its own config.yaml, which is Goose's and stays.
 */
export const setup: AgentSetup = {
  agent,
  docs: "https://goose-docs.ai/docs",
  detect: { commands: ["goose"], folders: [".config/goose"], versionArgs: ["--version"] },
  marks: ["GOOSE_TERMINAL"],
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "new-session",
    words:
      "Takes effect in the next session. Goose runs no hooks for the calls of a sub-agent it delegates to; commits are guarded by the git integration.",
  }),
  offSwitches: [offWhen("disabledPlugins", "named")],
  // source: 1.52.0, 2026-11-30
  settingsFiles: ({ home, root }) => [
    `${home}/.config/goose/settings.json`,
    ...(root === null
      ? []
      : ["settings.json", "settings.local.json"].map((name) => `${root}/.config/goose/${name}`)),
  ],
  launch,
};

/** `on_failure` stays at its default: Holdfast missing or broken must not hold anybody up. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const base = scope === "user" ? machine.home : machine.root;
  if (base === null) return [];
  const file = `${base}/.agents/plugins/holdfast/hooks/hooks.json`;
  const plan = (
    event: string,
    more: Record<string, unknown>,
    command: string,
    timeout: number,
  ): FilePlan => ({
    kind: "json-list",
    file,
    at: ["hooks", event],
    value: { ...more, hooks: [{ type: "command", command, timeout }] },
    ours: [command],
    strict: true,
  });
  return [plan("PreToolUse", { matcher: guarded }, preTool, 30), plan("Stop", {}, turnEnd, 600)];
}
