import type { Launch, Step, ToolCall } from "../../core/setup.ts";

/**
 * How Claude Code runs one prompt against a scripted model (ran: 2.1.332, 2026-11-30). Its own
 * permission prompts are off, so that whatever is refused was refused by a hook. As root it accepts
 * that only when told that it is in a sandbox.
 */
export const launch: Launch = {
  wire: "anthropic-messages",
  command: (prompt) => ["claude", "-p", prompt, "--dangerously-skip-permissions"],
  env: (stage) => ({
    ANTHROPIC_BASE_URL: stage.baseUrl,
    ANTHROPIC_API_KEY: "dummy",
    CLAUDE_CONFIG_DIR: `${stage.home}/.claude`,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    IS_SANDBOX: "1",
  }),
  homeFiles: () => ({}),
  tool,
  // Neither parents nor the git root are searched (ran: 2.1.332, 2026-11-30).
  rootOnly: true,
  notProved: [
    "Project scope from a sub-folder: Claude Code reads .claude/settings.json only of the folder it is started in. Start it in the project's root, or install for all projects: holdfast install --scope user.",
    "The dialog of an ask: it needs a person at a terminal. Headless, Claude Code turns an ask into a refusal with our reason.",
    "The trust question of an interactive start: hooks run only in a folder you have trusted.",
  ],
};

function tool(step: Step): ToolCall | null {
  if ("shell" in step) return { name: "Bash", input: { command: step.shell, description: "Run a command" } };
  if ("write" in step) {
    return { name: "Write", input: { file_path: step.write.path, content: step.write.content } };
  }
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "Edit", input: { file_path: path, old_string: from, new_string: to } };
  }
  return null;
}
