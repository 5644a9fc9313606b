import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { bridgeText } from "../_family/bridge-text.ts";
import plugin from "../_family/opencode-plugin.js?raw";
import relay from "../_family/relay.js?raw";
import bridge from "./bridge.js?raw";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";

/**
 * Where Kilo loads plugins from (ran: 7.7.7). `.kilocode/` and the plural `plugins/` are read as well, so one
 * copy must do; `.opencode/` is not read, so OpenCode's copy never answers for Kilo.
 */
export const setup: AgentSetup = {
  agent,
  docs: "https://kilo.ai/docs",
  detect: {
    commands: ["kilo", "kilocode"],
    folders: [".config/kilo", ".kilo", ".kilocode"],
    versionArgs: ["--version"],
  },
  marks: ["KILO", "KILO_PID"],
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "restart",
    words: "Restart Kilo, or reload the editor window it runs in; it loads plugins when it starts.",
  }),
  offSwitches: [
    { kind: "variable", name: "KILO_PURE" },
    { kind: "variable", name: "KILO_DISABLE_PROJECT_CONFIG" },
  ],
  launch,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = configFolder(scope, machine);
  if (folder === null) return [];
  return [
    {
      kind: "own-file",
      file: `${folder}/plugin/holdfast.js`,
      text: bridgeText(bridge, [relay, plugin]),
      mode: 0o644,
    },
  ];
}

function configFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.XDG_CONFIG_HOME || `${machine.home}/.config`}/kilo`;
  return machine.root === null ? null : `${machine.root}/.kilo`;
}
