// Holdfast inside Kilo Code. `kilo run` waits for a prompt sent at the end of a turn, so it needs none of what
// OpenCode's does (ran: 7.7.7, 2026-11-30).
import { pluginServer } from "../_family/opencode-plugin.js";

export default { id: "holdfast", server: pluginServer({ agent: "kilo", runEnds: false, asks: true }) };
