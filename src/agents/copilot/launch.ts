import type { Launch, Step, ToolCall } from "../../core/setup.ts";

/**
 * How Copilot CLI runs one prompt against a scripted model, without a GitHub account (ran: 1.0.102,
 * 2026-11-30). Its first start unpacks itself into the cache below its home.
 */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["copilot", "-p", prompt, "--allow-all-tools", "--trust-folder"],
  env: (stage) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${stage.baseUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: "dummy",
    COPILOT_MODEL: "scripted-model",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_HOME: `${stage.home}/.copilot`,
  }),
  homeFiles: () => ({}),
  tool,
  notProved: [
    "The dialog of an ask: it needs a person at a terminal. Headless, Copilot CLI turns an ask into a refusal.",
    "Folder trust: the proof runs with --trust-folder. In a folder you have not trusted a project's hooks do not run.",
  ],
};

function tool(step: Step): ToolCall | null {
  if ("shell" in step) return { name: "bash", input: { command: step.shell, description: "Run a command" } };
  if ("write" in step) {
    return { name: "create", input: { path: step.write.path, file_text: step.write.content } };
  }
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "edit", input: { path, old_str: from, new_str: to } };
  }
  return null;
}
