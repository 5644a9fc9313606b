import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { bridgeText } from "../_family/bridge-text.ts";
import plugin from "../_family/opencode-plugin.js?raw";
import relay from "../_family/relay.js?raw";
import bridge from "./bridge.js?raw";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";
import { starts } from "./starts.ts";

/** Where OpenCode loads plugins from (ran: 1.18.33; singular `plugin/` and `~/.opencode` work as well). */
export const setup: AgentSetup = {
  agent,
  docs: "https://opencode.ai/docs/plugins",
  detect: { commands: ["opencode"], folders: [".config/opencode"], versionArgs: ["--version"] },
  marks: ["OPENCODE", "OPENCODE_PID"],
  scopes: ["project", "user"],
  files,
  activation: () => ({ kind: "restart", words: "Restart OpenCode; it loads plugins when it starts." }),
  offSwitches: [
    { kind: "variable", name: "OPENCODE_PURE" },
    { kind: "variable", name: "OPENCODE_DISABLE_PROJECT_CONFIG" },
  ],
  starts,
  launch,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = configFolder(scope, machine);
  if (folder === null) return [];
  return [
    {
      kind: "own-file",
      file: `${folder}/plugins/holdfast.js`,
      text: bridgeText(bridge, [relay, plugin]),
      mode: 0o644,
    },
  ];
}

function configFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.XDG_CONFIG_HOME || `${machine.home}/.config`}/opencode`;
  return machine.root === null ? null : `${machine.root}/.opencode`;
}
