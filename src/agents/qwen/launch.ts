import type { Launch, Step, ToolCall } from "../../core/setup.ts";

/**
 * How Qwen Code runs one prompt against a scripted model (ran: 0.24.4, 2026-11-30). The memory setting keeps
 * it from starting a second model run, with tools, after each turn.
 */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["qwen", prompt, "--yolo"],
  env: (stage) => ({
    OPENAI_API_KEY: "dummy",
    OPENAI_BASE_URL: `${stage.baseUrl}/v1`,
    OPENAI_MODEL: "scripted-model",
    QWEN_CODE_NO_RELAUNCH: "true",
  }),
  homeFiles: () => ({ ".qwen/settings.json": `${JSON.stringify(settings, null, 2)}\n` }),
  projectFiles: () => ({ ".qwen/settings.json": '{\n\t"$version" : 4\n}' }),
  tool,
  rootOnly: true,
  notProved: [
    "The dialog of an ask: it needs a person at a terminal. Without one Qwen Code turns an ask into a refusal with our reason.",
    "Folder trust: it is off unless you switch it on; then a project's hooks run only in folders you have trusted.",
  ],
};

/** Qwen Code writes a settings file anew, all of it, unless it has the version of the current layout. */
const settings = {
  $version: 4,
  security: { auth: { selectedType: "openai" } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  memory: { enableManagedAutoMemory: false },
} as const;

function tool(step: Step): ToolCall | null {
  if ("shell" in step) {
    const input = { command: step.shell, description: "Run a command", is_background: false };
    return { name: "run_shell_command", input };
  }
  if ("write" in step) {
    return { name: "write_file", input: { file_path: step.write.path, content: step.write.content } };
  }
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "edit", input: { file_path: path, old_string: from, new_string: to } };
  }
  return null;
}
