import type { Launch, Step, ToolCall } from "../../core/setup.ts";

/**
 * How pi runs one prompt against a scripted model (ran: 1.6.0 and 0.73.1, 2026-11-30). `--approve` trusts the
 * throw-away project for this run; versions before 0.79 know neither the flag nor trust.
 */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["pi", "-p", "--approve", prompt],
  env: (stage) => ({
    PI_CODING_AGENT_DIR: `${stage.home}/.pi/agent`,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  }),
  homeFiles: (stage) => ({
    ".pi/agent/models.json": `${JSON.stringify({ providers: { scripted: provider(stage.baseUrl) } })}\n`,
    ".pi/agent/settings.json": '{"defaultProvider":"scripted","defaultModel":"scripted-model"}\n',
  }),
  tool,
  // Parents of the folder it starts in are not searched.
  rootOnly: true,
  notProved: [
    "The dialog of an ask: it needs a person. In `pi -p` the command is refused with instructions to ask you.",
    "Project trust: the proof runs with --approve in its own throw-away project. Your real pi asks you first.",
  ],
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
