import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";
import { patchText } from "../_family/patch-text.ts";

/**
 * How Copilot CLI runs one prompt against a scripted model, without a GitHub account (ran: 1.0.102,
 * 2026-11-30). Its first start unpacks itself into a cache below its home. The model's name decides the
 * tools: newer GPTs get `apply_patch`, whose arguments are the bare patch, in place of `create` and `edit`.
 */
export const launch: Launch = {
  ...launchWith("scripted-model"),
  variants: { patch: launchWith("gpt-5.4") },
};

function launchWith(model: string): Launch {
  return {
    wire: "openai-chat",
    command: (prompt) => ["copilot", "-p", prompt, "--yolo", "--trust-folder"],
    env: (stage) => ({
      COPILOT_OFFLINE: "true",
      COPILOT_PROVIDER_BASE_URL: `${stage.baseUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: "dummy",
      COPILOT_MODEL: model,
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_HOME: `${stage.home}/.copilot`,
    }),
    homeFiles: () => ({}),
    tool,
    rootOnly: true,
    notProved: [
      "The dialog of an ask: it needs a person at a terminal. Headless, Copilot CLI turns an ask into a refusal.",
      "Folder trust: the proof runs with --trust-folder. In a folder you have not trusted a project's hooks do not run.",
    ],
  };
}

function tool(step: Step, _stage: Stage, offered: readonly string[]): ToolCall | null {
  if ("say" in step) return null;
  if ("shell" in step) return { name: "bash", input: { command: step.shell, description: "Run a command" } };
  if (offered.includes("apply_patch")) return { name: "apply_patch", input: patchText(step) };
  if ("write" in step) {
    return { name: "create", input: { path: step.write.path, file_text: step.write.content } };
  }
  const { path, from, to } = step.edit;
  return { name: "edit", input: { path, old_str: from, new_str: to } };
}
