import { type Dict, dict, list, text } from "../../core/read.ts";
import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";

/**
 * How Grok runs one prompt against a scripted model, without an account (ran: 1.0.41, 2026-11-30). The
 * folder is trusted by the flag, only in the throw-away home.
 */
export const launch: Launch = {
  wire: "openai-chat",
  command: (prompt) => ["grok", "-p", prompt, "--always-approve", "--trust", "--output-format", "json"],
  env: () => ({ GROK_DISABLE_AUTOUPDATER: "1", GROK_TELEMETRY_ENABLED: "0" }),
  homeFiles: (stage) => ({ ".grok/config.toml": config(stage) }),
  tool,
  isAside,
  notProved: [
    "An ask: with --always-approve and no terminal Grok would run the tool, so a risky command is refused with instructions to ask you.",
    "Folder trust: the proof runs with --trust in its own throw-away home. In a folder you have not trusted Grok skips a project's hooks.",
  ],
};

function config({ baseUrl }: Stage): string {
  return `auto_update = false
[models]
default = "scripted"
web_search = "scripted"
[features]
telemetry = false
feedback = false
remote_fetch = false
codebase_indexing = false
[telemetry]
trace_upload = false
[model.scripted]
model = "scripted-model"
base_url = "${baseUrl}/v1"
api_key = "dummy"
api_backend = "chat_completions"
context_window = 100000
`;
}

/** `write` works although it is not offered; an edit with nothing to replace makes a file as well (ran: 1.0.41). */
function tool(step: Step): ToolCall | null {
  if ("shell" in step) {
    return { name: "run_terminal_command", input: { command: step.shell, description: "Run a command" } };
  }
  if ("write" in step) {
    return { name: "write", input: { file_path: step.write.path, content: step.write.content } };
  }
  if ("edit" in step) {
    const { path, from, to } = step.edit;
    return { name: "search_replace", input: { file_path: path, old_string: from, new_string: to } };
  }
  return null;
}

/** A title is asked for with one tool of its own; a line for the dashboard, after the turn, with all of them. */
function isAside(body: Dict): boolean {
  const names = list(body.tools).map((offered) => text(dict(dict(offered).function).name));
  if (names.length === 1 && names[0] === "session_title") return true;
  const last = dict(list(body.messages).at(-1));
  return (
    last.role === "user" && JSON.stringify(last.content ?? "").includes("Write an ultra-short dashboard line")
  );
}
