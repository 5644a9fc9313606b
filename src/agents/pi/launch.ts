import type { Launch, Step, ToolCall } from "../../core/setup.ts";

/**
 * How pi runs one prompt against a scripted model (ran: 1.6.0 and 0.73.1, 2026-11-30). The throw-away project is
 * trusted by a setting: versions before 0.79 know no trust and refuse the flag for it.
 */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["pi", "-p", prompt],
  env: (stage) => ({
    PI_CODING_AGENT_DIR: `${stage.home}/.pi/agent`,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  }),
  homeFiles: (stage) => ({
    ".pi/agent/models.json": `${JSON.stringify({ providers: { scripted: provider(stage.baseUrl) } })}\n`,
    ".pi/agent/settings.json": `${JSON.stringify(settings)}\n`,
  }),
  tool,
  // Parents of the folder it starts in are not searched (ran: 1.6.0, 2026-11-30).
  rootOnly: true,
  notProved: [
    "Project scope from a sub-folder: pi loads extensions only of the folder it is started in. Start it in the project's root, or install for all projects: holdfast install --scope user.",
    "The dialog of an ask: it needs a person. In `pi -p` the command is refused with instructions to ask you.",
    "Project trust: the proof runs in a throw-away home that trusts every project. Your real pi asks you first.",
  ],
};

const settings = {
  defaultProvider: "scripted",
  defaultModel: "scripted-model",
  defaultProjectTrust: "always",
};

function provider(baseUrl: string): Readonly<Record<string, unknown>> {
  const models = [{ id: "scripted-model", contextWindow: 100_000, maxTokens: 8_000 }];
  return { baseUrl: `${baseUrl}/v1`, api: "openai-completions", apiKey: "dummy", models };
}

function tool(step: Step): ToolCall | null {
  if ("shell" in step) return { name: "bash", input: { command: step.shell } };
  if ("write" in step)
    return { name: "write", input: { path: step.write.path, content: step.write.content } };
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "edit", input: { path, edits: [{ oldText: from, newText: to }] } };
  }
  return null;
}
