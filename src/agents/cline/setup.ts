import type { AgentSetup, FilePlan, Machine, Scope } from "../../core/setup.ts";
import { bridgeText } from "../_family/bridge-text.ts";
import relay from "../_family/relay.js?raw";
import bridge from "./bridge.js?raw";
import { agent } from "./index.ts";
import { launch } from "./launch.ts";
import { script, windowsScript } from "./scripts.ts";

/**
 * Where Cline looks (ran: CLI 3.0.65; source: extension 4.1.13). The script's folders are the two that CLI and
 * extensions share; the plugin is the CLI's alone, and `CLINE_DIR` moves it.
 */
export const setup: AgentSetup = {
  agent,
  docs: "https://docs.cline.bot/features/hooks",
  detect: { commands: ["cline"], folders: [".cline", "Documents/Cline"], versionArgs: ["--version"] },
  marks: ["CLINE_ACTIVE"],
  scopes: ["project", "user"],
  files,
  activation: () => ({
    kind: "restart",
    words:
      "Takes effect in the next task. Cline's CLI keeps a background process with the old plugins: end running clines first. The editor extensions need hooks to be enabled in their settings, as they are by default.",
  }),
  // The editor extensions have one, `hooksEnabled`, in a store that only the editor reads.
  offSwitches: [],
  launch,
};

function files(scope: Scope, machine: Machine): FilePlan[] {
  const { home, root, env, platform } = machine;
  if (scope !== "user" && root === null) return [];
  const scripts = scope === "user" ? `${home}/Documents/Cline/Hooks` : `${root}/.clinerules/hooks`;
  const plugins =
    scope === "user" ? `${env.CLINE_DIR || `${home}/.cline`}/plugins` : `${root}/.cline/plugins`;
  const text = bridgeText(bridge, [relay]);
  return [
    scriptIn(scripts, platform),
    { kind: "own-file", file: `${plugins}/holdfast.js`, text, mode: 0o644 },
  ];
}

function scriptIn(folder: string, platform: string): FilePlan {
  const file = `${folder}/PreToolUse`;
  const kind = "hook-script";
  return platform === "win32"
    ? { kind, file: `${file}.ps1`, chained: `${file}.local.ps1`, text: windowsScript, mode: 0o644 }
    : { kind, file, chained: `${file}.local`, text: script, mode: 0o755 };
}
