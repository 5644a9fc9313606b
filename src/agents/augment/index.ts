import type { Agent, Call } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict, flag, text, texts } from "../../core/read.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyClaudeLike } from "../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Events of 0.36.0 (ran, 2026-11-30; Notification source). A failed tool comes as PostToolUse with `tool_error`. */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  PromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  Notification: "notification",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/** Tools of 0.36.0 (ran). Paths are relative to the workspace. */
const like: ClaudeLike = {
  agent: "augment",
  events,
  tools: {
    "launch-process": { kind: "shell", command: ["command"] },
    "save-file": { kind: "write", path: ["path"] },
    "str-replace-editor": { kind: "edit", path: ["path"] },
    apply_patch: { kind: "patch", patch: ["input"] },
    "remove-files": { kind: "delete", path: ["file_paths"] },
    view: { kind: "read", path: ["path"] },
    "web-fetch": { kind: "web" },
  },
  projectEnv: ["AUGMENT_PROJECT_DIR"],
};

/** Auggie, Augment's CLI, by its hook protocol of 0.36.0 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "augment",
  title: "Auggie",
  events,
  can,
  payload: "stdin",
  parse,
  // Blocks are heard only before a tool; elsewhere they would be printed in the terminal as they are.
  reply: (verdict, event) =>
    replyClaudeLike(event.name === "pre-tool" ? verdict : { ...verdict, decision: "allow" }, event),
};

function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const claudeLike = {
    ...payload,
    session_id: text(payload.conversation_id) ?? payload.session_id,
    cwd: texts(payload.workspace_roots)[0] ?? payload.cwd,
    prompt: payload.user_prompt,
  };
  // MCP tools are told by a flag alone; their names look like any other.
  const named = flag(payload.is_mcp_tool) ? { ...like, tools: {}, mcp: /(?:)/ } : like;
  return parseClaudeLike(claudeLike, call, named);
}
