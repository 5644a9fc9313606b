// Holdfast inside OpenCode.
import { pluginServer } from "../_family/opencode-plugin.js";

export default {
  id: "holdfast",
  server: pluginServer({ agent: "opencode", lastChance: "step", asks: true }),
};
