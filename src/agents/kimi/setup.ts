import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { hookCommand } from "../_family/command.ts";
import { toolMatcher } from "../_family/matcher.ts";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

const preTool = hookCommand("kimi", "pre-tool");
const turnEnd = hookCommand("kimi", "turn-end");

/** Where Kimi keeps its hooks: its one user file (ran: 2.1.0; `KIMI_CODE_HOME` moves it, source). */
export const setup: AgentSetup = {
  agent,
  docs: "https://moonshotai.github.io/kimi-code/en/customization/hooks.html",
  detect: { commands: ["kimi"], folders: [".kimi-code"], versionArgs: ["--version"] },
  scopes: ["user"],
  files,
  activation: () => ({ kind: "new-session", words: "Takes effect in the next session." }),
  offSwitches: [],
  launch,
};

/** Timeouts are in seconds, 600 at most; that leaves the tests their 9 minutes. */
function files(scope: Scope, machine: Machine): FilePlan[] {
  if (scope !== "user") return [];
  const file = `${machine.env.KIMI_CODE_HOME || `${machine.home}/.kimi-code`}/config.toml`;
  const plan = (value: Readonly<Record<string, string | number>>, command: string): FilePlan => ({
    kind: "toml-list",
    file,
    at: ["hooks"],
    value,
    ours: [command],
  });
  const matcher = toolMatcher(["Bash", "Write", "Edit"]);
  return [
    plan({ event: "PreToolUse", matcher, command: preTool, timeout: 30 }, preTool),
    plan({ event: "Stop", command: turnEnd, timeout: 600 }, turnEnd),
  ];
}
