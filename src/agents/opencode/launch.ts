import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";
import { patchText } from "../_family/patch-text.ts";

/**
 * Made for one version, taken by all: OpenCode installs `@opencode-ai/plugin` into every config folder
 * that holds a plugin and waits for it, a minute when offline. A folder that seems to have it already is
 * left alone (ran: 1.18.33, 2026-11-30).
 */
const seeds = {
  "package.json": '{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}\n',
  "package-lock.json":
    '{"lockfileVersion":3,"packages":{"":{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}}}\n',
  "node_modules/.keep": "",
  ".gitignore": "node_modules\npackage.json\npackage-lock.json\n.gitignore\n",
} as const;

/**
 * How OpenCode runs one prompt against a scripted model (ran: 1.18.33, 2026-11-30). The model's name
 * decides the tools: one that contains `gpt-5` gets `apply_patch` in place of `write` and `edit`.
 */
export const launch: Launch = {
  ...launchWith("scripted-model"),
  variants: { patch: launchWith("gpt-5-scripted") },
};

function launchWith(model: string): Launch {
  return {
    wire: "openai-chat",
    command: (prompt) => ["opencode", "run", "--title", "proof", prompt],
    env: () => ({
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      npm_config_fetch_retries: "0",
    }),
    homeFiles: (stage) => ({
      ".config/opencode/opencode.json": `${JSON.stringify(config(stage.baseUrl, model), null, 2)}\n`,
      ...seeded(".config/opencode"),
    }),
    projectFiles: () => seeded(".opencode"),
    tool,
    notProved: [
      "The terminal interface: the proof runs `opencode run`. The plugin is the same, the way back at turn end differs.",
      "An ask: plugins have none, so a risky command is refused with instructions to ask you.",
    ],
  };
}

function seeded(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(seeds).map(([name, text]) => [`${folder}/${name}`, text]));
}

function config(baseUrl: string, id: string): Readonly<Record<string, unknown>> {
  const model = { name: "Scripted", tool_call: true, limit: { context: 100_000, output: 8_000 } };
  return {
    model: `scripted/${id}`,
    small_model: `scripted/${id}`,
    autoupdate: false,
    share: "disabled",
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: `${baseUrl}/v1`, apiKey: "dummy" },
        models: { [id]: model },
      },
    },
  };
}

function tool(step: Step, _stage: Stage, offered: readonly string[]): ToolCall | null {
  if ("say" in step) return null;
  if ("shell" in step) return { name: "bash", input: { command: step.shell, description: "Run a command" } };
  if (!offered.includes("write")) return { name: "apply_patch", input: { patchText: patchText(step) } };
  if ("write" in step) {
    return { name: "write", input: { filePath: step.write.path, content: step.write.content } };
  }
  const { path, from, to } = step.edit;
  return { name: "edit", input: { filePath: path, oldString: from, newString: to } };
}
