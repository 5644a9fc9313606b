import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { bridgeText } from "../_family/bridge-text.ts";
import relay from "../_family/relay.js?raw";
import bridge from "./bridge.js?raw";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";
import { starts } from "./starts.ts";

/** Where pi loads extensions from (ran: 1.6.0 and 0.73.1; `PI_CODING_AGENT_DIR` docs). */
export const setup: AgentSetup = {
  agent,
  docs: "https://github.com/earendil-works/pi",
  detect: { commands: ["pi"], folders: [".pi/agent"], versionArgs: ["--version"] },
  marks: ["PI_CODING_AGENT", "PI_SESSION_ID"],
  scopes: ["project", "user"],
  files,
  activation: (scope) =>
    scope === "project"
      ? {
          kind: "trust",
          words:
            "pi loads a project's extensions only when you trust the project, and skips them without a word in `pi -p`: start pi here and say yes, or type /trust. With `pi -p` add --approve.",
        }
      : { kind: "new-session", words: "Takes effect in the next session; in a running one type /reload." },
  offSwitches: [],
  starts,
  launch,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const folder = agentFolder(scope, machine);
  if (folder === null) return [];
  return [
    {
      kind: "own-file",
      file: `${folder}/extensions/holdfast.js`,
      text: bridgeText(bridge, [relay]),
      mode: 0o644,
    },
  ];
}

function agentFolder(scope: Scope, machine: Machine): string | null {
  if (scope === "user") return machine.env.PI_CODING_AGENT_DIR || `${machine.home}/.pi/agent`;
  return machine.root === null ? null : `${machine.root}/.pi`;
}
