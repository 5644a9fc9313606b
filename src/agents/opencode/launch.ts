import type { Launch } from "../../core/setup.ts";
import { opencodeLaunch } from "../_family/opencode-launch.ts";

/** How OpenCode runs one prompt against a scripted model (ran: 1.18.33, 2026-11-30). */
export const launch: Launch = opencodeLaunch({
  command: ["opencode", "run", "--title", "proof"],
  env: {
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  },
  configFile: ".config/opencode/opencode.json",
  homeFolder: ".config/opencode",
  projectFolder: ".opencode",
  plugin: ["@opencode-ai/plugin", "1.18.33"],
  config: {},
  notProved: [
    "The terminal interface: the proof runs `opencode run`. The plugin is the same, the way back at turn end differs.",
    "The dialog of an ask: it is shown by the terminal interface and to clients of the server (ran by hand). `opencode run` refuses.",
  ],
});
