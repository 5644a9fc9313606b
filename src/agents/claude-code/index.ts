import type { Agent } from "../../core/agent.ts";
import type { EventName } from "../../core/event.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyClaudeLike } from "../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Event names of 2.1.332 that have a canonical meaning (source: its settings schema, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PostToolUseFailure: "tool-failed",
  PermissionRequest: "permission",
  Notification: "notification",
  PreCompact: "pre-compact",
  PostCompact: "post-compact",
  SubagentStart: "subagent-start",
  SubagentStop: "subagent-stop",
  Stop: "turn-end",
  SessionEnd: "session-end",
  StopFailure: "error",
};

/**
 * `path` and `file_text` are Copilot CLI's spellings: it runs a project's Claude hooks with Claude's
 * tool names and its own arguments (ran: 1.0.102, 2026-11-30). MultiEdit left the tool list before
 * 2.1.332 and is kept for older versions (docs).
 */
const like: ClaudeLike = {
  agent: "claude-code",
  events,
  projectEnv: ["CLAUDE_PROJECT_DIR"],
  tools: {
    Bash: { kind: "shell", command: ["command"] },
    PowerShell: { kind: "shell", command: ["command"] },
    Monitor: { kind: "shell", command: ["command"] },
    Write: { kind: "write", path: ["file_path", "path"] },
    Edit: { kind: "edit", path: ["file_path", "path"] },
    MultiEdit: { kind: "edit", path: ["file_path", "path"] },
    NotebookEdit: { kind: "edit", path: ["notebook_path", "file_path", "path"] },
    Read: { kind: "read", path: ["file_path", "path"] },
    WebFetch: { kind: "web" },
    WebSearch: { kind: "web" },
    Agent: { kind: "agent" },
    Task: { kind: "agent" },
  },
};

/** Claude Code, by its hook protocol of 2.1.332 and 2.1.197 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "claude-code",
  title: "Claude Code",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply: replyClaudeLike,
};
