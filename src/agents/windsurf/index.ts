import type { Agent, Call } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { type Dict, dict, isDict, text } from "../../core/read.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyByExit } from "../_family/exit-reply.ts";
import { can } from "./can.ts";

/** Cascade's events (docs, 2026-11-30). The event itself says what kind of tool is meant. */
const events: Readonly<Record<string, EventName>> = {
  pre_user_prompt: "prompt",
  pre_write_code: "pre-tool",
  pre_run_command: "pre-tool",
  pre_mcp_tool_use: "pre-tool",
  pre_read_code: "pre-tool",
  post_write_code: "post-tool",
  post_run_command: "post-tool",
  post_mcp_tool_use: "post-tool",
  post_read_code: "post-tool",
  post_cascade_response: "turn-end",
};

/** Cascade does not name its tools; these names are ours. */
const like: ClaudeLike = {
  agent: "windsurf",
  events,
  tools: {
    write_code: { kind: "write", path: ["file_path"] },
    run_command: { kind: "shell", command: ["command_line"], workdir: ["cwd"] },
    read_code: { kind: "read", path: ["file_path"] },
  },
};

/** Windsurf's Cascade, by its vendor's documentation (docs, 2026-11-30). */
export const agent: Agent = {
  id: "windsurf",
  title: "Windsurf",
  events,
  can,
  payload: "stdin",
  parse,
  reply: (verdict, event) =>
    replyByExit(verdict, event.name === "turn-end" ? verdict.messages.join("\n") : ""),
};

function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const native = text(payload.agent_action_name) ?? payload.hook_event_name;
  const claudeLike = {
    ...payload,
    hook_event_name: native,
    session_id: text(payload.trajectory_id) ?? payload.session_id,
    tool_use_id: payload.execution_id,
    ...toolOf(payload, text(native) ?? ""),
  };
  return parseClaudeLike(claudeLike, call, like);
}

function toolOf(payload: Dict, native: string): Dict {
  if (!isDict(payload.tool_info)) return {};
  const info = payload.tool_info;
  if (native.endsWith("_mcp_tool_use")) {
    const name = `mcp__${text(info.mcp_server_name) ?? ""}__${text(info.mcp_tool_name) ?? ""}`;
    return { tool_name: name, tool_input: info.mcp_tool_arguments };
  }
  return { tool_name: native.replace(/^(pre|post)_/, ""), tool_input: info, prompt: info.user_prompt };
}
