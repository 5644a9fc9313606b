import type { AgentSetup, FilePlan, Machine, Scope } from "../../../core/setup.ts";
import { bridgeText } from "../../_family/bridge-text.ts";
import relay from "../../_family/relay.js?raw";
import bridge from "./bridge.js?raw";
import { agent } from "./index.ts";

/** Where Newcomer loads plugins from (guess, 2000-01-01). */
export const setup: AgentSetup = {
  agent,
  docs: "https://example.org/newcomer/plugins",
  detect: { commands: ["newcomer"], folders: [".newcomer"], versionArgs: ["--version"] },
  marks: [],
  scopes: ["project", "user"],
  files,
  activation: () => ({ kind: "restart", words: "Restart Newcomer." }),
  offSwitches: [],
  launch: null,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = configFolder(scope, machine);
  if (folder === null) return [];
  const file = `${folder}/plugins/holdfast.js`;
  return [{ kind: "own-file", file, text: bridgeText(bridge, [relay]), mode: 0o644 }];
}

function configFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return machine.env.NEWCOMER_HOME || `${machine.home}/.newcomer`;
  return machine.root === null ? null : `${machine.root}/.newcomer`;
}
