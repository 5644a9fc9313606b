// The agents the lab runs: the package that holds each one's program, and where in it. Slow ones come first, so
// that two at a time end at about the same moment.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const lab = dirname(fileURLToPath(import.meta.url));

export const agents = {
  kilo: { package: "@kilocode/cli-linux-x64", program: "bin/kilo" },
  opencode: { package: "opencode-linux-x64", program: "bin/opencode" },
  cline: { package: "cline", program: "bin/cline" },
  copilot: { package: "@github/copilot-linux-x64", program: "copilot" },
  gemini: { package: "@google/gemini-cli", program: "bundle/gemini.js" },
  qwen: { package: "@qwen-code/qwen-code", program: "cli-entry.js" },
  "claude-code": { package: "@anthropic-ai/claude-code-linux-x64", program: "claude" },
  augment: { package: "@augmentcode/auggie", program: "augment.mjs" },
  kimi: { package: "@moonshot-ai/kimi-code", program: "dist/main.mjs" },
  codex: { package: "@openai/codex-linux-x64", program: "vendor/x86_64-unknown-linux-musl/bin/codex" },
  droid: { package: "@factory/cli-linux-x64", program: "bin/droid" },
  grok: { package: "@xai-official/grok-linux-x64", program: "bin/grok" },
  pi: { package: "@earendil-works/pi-coding-agent", program: "dist/bundle/cli.js" },
  goose: { package: "@aaif/goose-binary-linux-x64", program: "bin/goose" },
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
