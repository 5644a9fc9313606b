import type { Agent } from "../../core/agent.ts";
import type { EventName } from "../../core/event.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyClaudeLike } from "../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Events of the second hook system, since 0.1.52 (source, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PostToolUseFailure: "tool-failed",
  PermissionRequest: "permission",
  Notification: "notification",
  PreCompact: "pre-compact",
  SubagentStart: "subagent-start",
  SubagentStop: "subagent-stop",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/** Tools of the deepagents library (docs); others are judged by their names and arguments. */
const like: ClaudeLike = {
  agent: "deepagents",
  events,
  tools: {
    execute: { kind: "shell", command: ["command"] },
    write_file: { kind: "write", path: ["file_path", "path"] },
    edit_file: { kind: "edit", path: ["file_path", "path"] },
    read_file: { kind: "read", path: ["file_path", "path"] },
    task: { kind: "agent" },
  },
};

/** Deep Agents Code, whose hooks have Claude Code's payloads and answers (source: 0.1.52, 2026-11-30). */
export const agent: Agent = {
  id: "deepagents",
  title: "Deep Agents Code",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply: replyClaudeLike,
};
