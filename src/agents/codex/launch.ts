import type { Launch, Stage, Step, ToolCall } from "../../core/setup.ts";
import { patchText } from "../_family/patch-text.ts";

/**
 * How Codex runs one prompt against a scripted model (ran: 0.171.0, 2026-11-30). The project is marked
 * trusted and hook trust is bypassed, both only in the throw-away home. Without `plugins = false` a
 * start waits seconds for a download.
 */
export const launch: Launch = {
  ...launchWith("gpt-6.2-sol"),
  variants: { "patch-and-shell": launchWith("gpt-5.5"), "shell-only": launchWith("scripted-model") },
};

function launchWith(model: string): Launch {
  return {
    wire: "openai-responses",
    command: (prompt) => [
      "codex",
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      "-s",
      "danger-full-access",
      prompt,
    ],
    env: (stage) => ({ CODEX_HOME: `${stage.home}/.codex`, MOCK_API_KEY: "dummy" }),
    homeFiles: (stage) => ({ ".codex/config.toml": config(stage, model) }),
    tool,
    notProved: [
      "Hook trust: the proof runs with --dangerously-bypass-hook-trust in its own throw-away home. Your real Codex still needs your approval: start codex, type /hooks, approve the Holdfast hooks.",
      "An ask: Codex has none, so a risky command is refused with instructions to ask you.",
    ],
  };
}

function config(stage: Stage, model: string): string {
  return `model = ${JSON.stringify(model)}
model_provider = "scripted"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
apps = false
[model_providers.scripted]
name = "scripted"
base_url = "${stage.baseUrl}/v1"
wire_api = "responses"
env_key = "MOCK_API_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
[projects.${JSON.stringify(stage.project)}]
trust_level = "trusted"
`;
}

/**
 * Which tools there are depends on the model: current ones get a single tool `exec` that runs
 * JavaScript, older ones `exec_command` and `apply_patch`, unknown ones only a shell (ran: 0.171.0).
 */
function tool(step: Step, _stage: Stage, offered: readonly string[]): ToolCall | null {
  if ("say" in step) return null;
  if ("shell" in step) return shell(step.shell, offered);
  const patch = patchText(step);
  if (isCodeMode(offered)) return code(`await tools.apply_patch(${JSON.stringify(patch)})`);
  if (offered.includes("apply_patch")) return { name: "apply_patch", input: patch, custom: true };
  return shell(`apply_patch <<'EOF'\n${patch}EOF\n`, offered);
}

function shell(command: string, offered: readonly string[]): ToolCall {
  if (isCodeMode(offered)) return code(`await tools.exec_command({ cmd: ${JSON.stringify(command)} })`);
  if (offered.includes("exec_command")) return { name: "exec_command", input: { cmd: command } };
  return { name: "shell", input: { command: ["bash", "-lc", command] } };
}

function isCodeMode(offered: readonly string[]): boolean {
  return offered.includes("exec") && !offered.includes("exec_command");
}

function code(expression: string): ToolCall {
  return { name: "exec", input: `text(${expression});\n`, custom: true };
}
