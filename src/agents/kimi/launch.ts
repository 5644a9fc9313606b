import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";

/** How Kimi runs one prompt against a scripted model (ran: 2.1.0, 2026-11-30). `-p` approves by itself. */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["kimi", "-p", prompt],
  env: (stage) => ({ KIMI_CODE_HOME: `${stage.home}/.kimi-code`, KIMI_CODE_NO_AUTO_UPDATE: "1" }),
  asksOnce: true,
  // Kimi itself refuses to write `.env`, keys and SSH files, before any hook (ran: 2.1.0).
  protectedFile: "migrations/0001.sql",
  projectFiles: () => ({ "migrations/.keep": "" }),
  homeFiles: (stage) => ({ ".kimi-code/config.toml": config(stage) }),
  tool,
  notProved: [
    "One project alone: Kimi keeps hooks for all projects of a person, so there is no install for one.",
    "An ask: Kimi ignores it, so a risky command is refused with instructions to ask you.",
  ],
};

function config({ baseUrl }: Stage): string {
  return `default_model = "scripted"
telemetry = false
auto_session_title = false
[providers.scripted]
type = "openai"
base_url = "${baseUrl}/v1"
api_key = "dummy"
[models.scripted]
provider = "scripted"
model = "scripted-model"
max_context_size = 100000
capabilities = ["tool_use"]
`;
}

function tool(step: Step): ToolCall | null {
  if ("shell" in step) return { name: "Bash", input: { command: step.shell } };
  if ("write" in step)
    return { name: "Write", input: { path: step.write.path, content: step.write.content } };
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "Edit", input: { path, old_string: from, new_string: to } };
  }
  return null;
}
