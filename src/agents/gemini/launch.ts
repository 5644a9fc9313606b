import type { Launch, Step, ToolCall } from "../../core/setup.ts";

/**
 * How Gemini CLI runs one prompt against a scripted model (ran: 0.61.0, 2026-11-30). `--yolo`, because the
 * default mode has no shell and no write tool without a terminal; an explicit model, because `auto` asks a
 * second model which one to take. The folder is trusted by variable: `--skip-trust` leaves a project's hooks out.
 * The file tool refuses `.env` by itself, and what lies above the folder it was started in unless it is named.
 */
export const launch: Launch = {
  wire: "gemini-generate-content",
  command: (prompt, stage) => [
    "gemini",
    "-p",
    prompt,
    "--yolo",
    "-m",
    "gemini-2.5-flash",
    "--include-directories",
    stage.project,
  ],
  env: (stage) => ({
    GEMINI_API_KEY: "dummy",
    GOOGLE_GEMINI_BASE_URL: stage.baseUrl,
    GEMINI_CLI_NO_RELAUNCH: "true",
    GEMINI_CLI_TRUST_WORKSPACE: "true",
  }),
  homeFiles: () => ({ ".gemini/settings.json": `${JSON.stringify(settings, null, 2)}\n` }),
  tool,
  protectedFile: "prod.key",
  rootOnly: true,
  notProved: [
    "Folder trust: the proof trusts its throw-away project by variable. In a folder you have not trusted Gemini CLI runs no hooks, your own included.",
    "An ask: without a terminal it ends the run in silence, so a risky command is refused with instructions to ask you.",
    "The file tool and `.env`: Gemini CLI itself refuses that name before any hook, so the proof takes another protected file.",
  ],
};

const settings = {
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
} as const;

function tool(step: Step): ToolCall | null {
  if ("shell" in step) {
    return { name: "run_shell_command", input: { command: step.shell, description: "Run a command" } };
  }
  if ("write" in step) {
    return { name: "write_file", input: { file_path: step.write.path, content: step.write.content } };
  }
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return {
      name: "replace",
      input: { file_path: path, old_string: from, new_string: to, instruction: "Change the text" },
    };
  }
  return null;
}
