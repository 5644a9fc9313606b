import type { Launch, Step, ToolCall } from "../../core/setup.ts";

/** How Goose runs one prompt against a scripted model; it needs no config file (ran: 1.52.0, 2026-11-30). */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["goose", "run", "--no-session", "-t", prompt],
  env: (stage) => ({
    GOOSE_PROVIDER: "openai",
    GOOSE_MODEL: "scripted-model",
    OPENAI_HOST: stage.baseUrl,
    OPENAI_API_KEY: "dummy",
    GOOSE_MODE: "auto",
    GOOSE_DISABLE_KEYRING: "1",
    GOOSE_TELEMETRY_ENABLED: "false",
  }),
  homeFiles: () => ({}),
  // Parents of the folder it starts in are not searched for plugins (ran: 1.52.0, 2026-11-30).
  rootOnly: true,
  tool,
  notProved: [
    "Project scope from a sub-folder: Goose looks for plugins only in the folder it is started in. Start it in the project's root, or install for all projects: holdfast install --scope user.",
    "Sub-agents: Goose runs no hooks for the calls of an agent it delegates to.",
    "An ask: hooks have none, so a risky command is refused with instructions to ask you.",
  ],
};

function tool(step: Step): ToolCall | null {
  if ("shell" in step) return { name: "shell", input: { command: step.shell } };
  if ("write" in step)
    return { name: "write", input: { path: step.write.path, content: step.write.content } };
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "edit", input: { path, before: from, after: to } };
  }
  return null;
}
