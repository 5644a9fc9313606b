import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { bridgeText } from "../_family/bridge-text.ts";
import relay from "../_family/relay.js?raw";
import bridge from "./bridge.js?raw";
import { agent } from "./index.ts";

/** Where Amp loads plugins from (project scope ran: 0.0.1790142911; user scope docs; 2026-11-30). */
export const setup: AgentSetup = {
  agent,
  docs: "https://ampcode.com/docs/plugin-api",
  detect: { commands: ["amp"], folders: [".config/amp"], versionArgs: ["--version"] },
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "restart",
    words:
      "Restart Amp, or run `plugins: reload` from its command palette. Install it in one scope only: Amp runs each copy by itself.",
  }),
  offSwitches: [],
  launch: null,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = configFolder(scope, machine);
  if (folder === null) return [];
  return [
    {
      kind: "own-file",
      file: `${folder}/plugins/holdfast.js`,
      text: bridgeText(bridge, [relay]),
      mode: 0o644,
    },
  ];
}

function configFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return `${machine.env.XDG_CONFIG_HOME || `${machine.home}/.config`}/amp`;
  return machine.root === null ? null : `${machine.root}/.amp`;
}
