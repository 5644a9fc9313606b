// Holdfast inside Kilo Code.
import { pluginServer } from "../_family/opencode-plugin.js";

export default { id: "holdfast", server: pluginServer({ agent: "kilo", lastChance: "idle", asks: true }) };
