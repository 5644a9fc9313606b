import type { Launch } from "../../core/setup.ts";
import { opencodeLaunch } from "../_family/opencode-launch.ts";

/**
 * How Kilo Code runs one prompt against a scripted model (ran: 7.7.7, 2026-11-30). Without `snapshot: false` a
 * slow first snapshot raises a question that nobody answers headless. Kilo writes the permission into its config
 * by itself, but only at the first start of a home.
 */
export const launch: Launch = opencodeLaunch({
  command: ["kilo", "run", "--title", "proof"],
  env: {
    KILO_DISABLE_MODELS_FETCH: "1",
    KILO_DISABLE_AUTOUPDATE: "1",
    KILO_DISABLE_LSP_DOWNLOAD: "1",
    KILO_TELEMETRY_LEVEL: "off",
    KILO_DISABLE_SESSION_INGEST: "1",
  },
  configFile: ".config/kilo/kilo.json",
  homeFolder: ".config/kilo",
  projectFolder: ".kilo",
  plugin: ["@kilocode/plugin", "7.7.7"],
  config: { snapshot: false, permission: { bash: "allow" } },
  notProved: [
    "The dialog of an ask: it needs a person. In `kilo run` the command is refused with instructions to ask you.",
    "The editor extensions: they load the same plugin into the same program, which was not run here.",
  ],
});
