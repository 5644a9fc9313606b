// The agents the lab runs: the package that holds each one's program, and where in it. Quick ones come first, so
// that most have run when time runs short, and the two slowest run side by side.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const lab = dirname(fileURLToPath(import.meta.url));

export const agents = {
  "claude-code": { package: "@anthropic-ai/claude-code-linux-x64", program: "claude" },
  codex: { package: "@openai/codex-linux-x64", program: "vendor/x86_64-unknown-linux-musl/bin/codex" },
  goose: { package: "@aaif/goose-binary-linux-x64", program: "bin/goose" },
  pi: { package: "@earendil-works/pi-coding-agent", program: "dist/bundle/cli.js" },
  grok: { package: "@xai-official/grok-linux-x64", program: "bin/grok" },
  augment: { package: "@augmentcode/auggie", program: "augment.mjs" },
  droid: { package: "@factory/cli-linux-x64", program: "bin/droid" },
  copilot: { package: "@github/copilot-linux-x64", program: "copilot" },
  kimi: { package: "@moonshot-ai/kimi-code", program: "dist/main.mjs" },
  gemini: { package: "@google/gemini-cli", program: "bundle/gemini.js" },
  qwen: { package: "@qwen-code/qwen-code", program: "cli-entry.js" },
  cline: { package: "cline", program: "bin/cline" },
  opencode: { package: "opencode-linux-x64", program: "bin/opencode" },
  kilo: { package: "@kilocode/cli-linux-x64", program: "bin/kilo" },
};

/** Version of every agent as package.json pins it. */
export function pinned() {
  const { dependencies } = JSON.parse(readFileSync(join(lab, "package.json"), "utf8"));
  return Object.fromEntries(
    Object.entries(agents).map(([id, agent]) => [
      id,
      dependencies[agent.package].replace(/^npm:.*@|-linux-x64$/g, ""),
    ]),
  );
}
