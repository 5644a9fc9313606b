import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { offWhen } from "../../core/setup.ts";
import { answeringHookCommand } from "../_family/command.ts";
import { agent } from "./index.ts";

const preTool = answeringHookCommand("antigravity", "pre-tool", '{"decision":"allow"}');
const turnEnd = answeringHookCommand("antigravity", "turn-end", "{}");

/** Where Antigravity keeps its hooks (docs: agy 1.1.8, 2026-11-30). A file holds named sets; one set is ours. */
export const setup: AgentSetup = {
  agent,
  docs: "https://antigravity.google/docs/hooks",
  detect: {
    commands: ["agy", "antigravity"],
    folders: [".gemini/antigravity-cli", ".gemini/antigravity"],
    versionArgs: ["--version"],
  },
  scopes: ["project", "user"],
  files,
  activation: () => ({ kind: "new-session", words: "Takes effect in the next session." }),
  offSwitches: [offWhen("holdfast.enabled", false)],
  launch: null,
};

/** Timeouts are seconds. A field that Antigravity does not know is an error, so nothing more is written. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  const file = hooksFile(scope, machine);
  if (file === null) return [];
  const entry = (command: string, timeout: number) => ({ type: "command", command, timeout });
  return [
    {
      kind: "json-list",
      file,
      at: ["holdfast", "PreToolUse"],
      value: { matcher: "*", hooks: [entry(preTool, 30)] },
      ours: [preTool],
    },
    { kind: "json-list", file, at: ["holdfast", "Stop"], value: entry(turnEnd, 600), ours: [turnEnd] },
  ];
}

function hooksFile(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.home}/.gemini/config/hooks.json`;
  return machine.root === null ? null : `${machine.root}/.agents/hooks.json`;
}
