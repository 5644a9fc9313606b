import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";

/**
 * How Factory Droid runs one prompt against a scripted model, without an account (ran: 0.225.2, 2026-11-30).
 */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["droid", "exec", "--skip-permissions-unsafe", "-m", "custom:scripted-0", prompt],
  env: () => ({ FACTORY_DROID_AUTO_UPDATE_ENABLED: "false", FACTORY_DISABLE_KEYRING: "1" }),
  homeFiles: (stage) => ({ ".factory/settings.json": `${JSON.stringify(settings(stage), null, 2)}\n` }),
  tool,
  notProved: [
    "An ask: Droid only logs one and runs the tool, so a risky command is refused with instructions to ask you.",
    "The terminal interface and its folder trust: the proof runs `droid exec`, which asks for no trust.",
  ],
};

function settings({ baseUrl }: Stage): Readonly<Record<string, unknown>> {
  const model = {
    model: "scripted-model",
    id: "custom:scripted-0",
    index: 0,
    displayName: "Scripted",
    baseUrl: `${baseUrl}/v1`,
    apiKey: "dummy",
    maxOutputTokens: 8000,
    provider: "generic-chat-completion-api",
  };
  return { customModels: [model], cloudSessionSync: false };
}

function tool(step: Step): ToolCall | null {
  if ("shell" in step) {
    const risk = { riskLevel: "low", riskLevelReason: "Part of the task." };
    return { name: "Execute", input: { command: step.shell, summary: "Run a command", ...risk } };
  }
  if ("write" in step) {
    return { name: "Create", input: { file_path: step.write.path, content: step.write.content } };
  }
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "Edit", input: { file_path: path, old_str: from, new_str: to } };
  }
  return null;
}
