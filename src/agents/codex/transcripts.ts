import { type Dict, dict, text } from "../../core/read.ts";
import type { Transcripts } from "../../core/setup.ts";
import { isStopped } from "../_family/stopped.ts";

/** Codex keeps one rollout file per session (ran: 0.171.0, 2026-11-30, with and without code mode). */
export const transcripts: Transcripts = {
  folders: ({ home, env }) => [`${env.CODEX_HOME || `${home}/.codex`}/sessions`],
  calls(lines) {
    const stopped = new Set(lines.flatMap(stoppedCall));
    let session: unknown = null;
    let cwd: unknown = null;
    return lines.flatMap((line) => {
      const { type, payload: raw, timestamp } = dict(line);
      const payload = dict(raw);
      if (type === "session_meta") session = payload.id;
      if (type === "session_meta" || type === "turn_context") cwd = payload.cwd ?? cwd;
      if (type !== "response_item" || stopped.has(payload.call_id)) return [];
      const base = { hook_event_name: "PreToolUse", session_id: session, cwd, timestamp };
      return toolCalls(payload).map((call) => ({ ...base, ...call, tool_use_id: payload.call_id }));
    });
  },
};

interface Called {
  readonly tool_name: string;
  readonly tool_input: Dict;
}

function toolCalls({ type, name, arguments: given, input }: Dict): Called[] {
  if (type === "function_call") return functionCall(text(name) ?? "", text(given) ?? "");
  if (type !== "custom_tool_call") return [];
  const source = text(input) ?? "";
  return name === "exec"
    ? inScript(source)
    : [{ tool_name: text(name) ?? "", tool_input: { command: source } }];
}

function functionCall(name: string, given: string): Called[] {
  const input = dict(parsed(given));
  const { cmd, command } = input;
  // Older versions sent the words of `bash -lc …`.
  const line = Array.isArray(command) ? text(command.at(-1)) : (text(cmd) ?? text(command));
  return line === null
    ? [{ tool_name: name, tool_input: input }]
    : [{ tool_name: "Bash", tool_input: { command: line, workdir: input.workdir } }];
}

/** In code mode the model writes a script; calls with plain texts in it are read, others are passed over. */
function inScript(source: string): Called[] {
  const found = source.matchAll(
    /tools\.(exec_command|apply_patch)\(\s*(?:\{[^"}]*?\bcmd:\s*)?("(?:[^"\\]|\\.)*")/g,
  );
  return [...found].flatMap(([, tool, literal = ""]) => {
    const command = text(parsed(literal));
    const name = tool === "exec_command" ? "Bash" : "apply_patch";
    return command === null ? [] : [{ tool_name: name, tool_input: { command } }];
  });
}

function stoppedCall(line: unknown): unknown[] {
  const { type, call_id, output } = dict(dict(line).payload);
  const isResult = type === "function_call_output" || type === "custom_tool_call_output";
  return isResult && isStopped(output) ? [call_id] : [];
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}
