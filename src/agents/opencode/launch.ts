import type { Launch, Step, ToolCall } from "../../core/setup.ts";

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
  ".gitignore": "*\n",
} as const;

/** How OpenCode runs one prompt against a scripted model (ran: 1.18.33, 2026-11-30). */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["opencode", "run", "--title", "proof", prompt],
  env: () => ({
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    npm_config_fetch_retries: "0",
  }),
  homeFiles: (stage) => ({
    ".config/opencode/opencode.json": `${JSON.stringify(config(stage.baseUrl), null, 2)}\n`,
    ...seeded(".config/opencode"),
  }),
  projectFiles: () => seeded(".opencode"),
  tool,
  notProved: [
    "The terminal interface: the proof runs `opencode run`. The plugin is the same, the way back at turn end differs.",
    "An ask: plugins have none, so a risky command is refused with instructions to ask you.",
  ],
};

function seeded(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(seeds).map(([name, text]) => [`${folder}/${name}`, text]));
}

function config(baseUrl: string): Readonly<Record<string, unknown>> {
  const model = { name: "Scripted", tool_call: true, limit: { context: 100_000, output: 8_000 } };
  return {
    model: "scripted/scripted-model",
    small_model: "scripted/scripted-model",
    autoupdate: false,
    share: "disabled",
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: `${baseUrl}/v1`, apiKey: "dummy" },
        models: { "scripted-model": model },
      },
    },
  };
}

/** GPT models get `apply_patch` in place of `write` and `edit` (ran: 1.18.33); the scripted one is none. */
function tool(step: Step): ToolCall | null {
  if ("shell" in step) return { name: "bash", input: { command: step.shell, description: "Run a command" } };
  if ("write" in step) {
    return { name: "write", input: { filePath: step.write.path, content: step.write.content } };
  }
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "edit", input: { filePath: path, oldString: from, newString: to } };
  }
  return null;
}
