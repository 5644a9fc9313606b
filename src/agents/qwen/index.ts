import type { Agent } from "../../core/agent.ts";
import type { EventName } from "../../core/event.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyClaudeLikeTwice } from "../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Events of 0.24.4 that have a canonical meaning (source, 2026-11-30); 0.15.10 has all of these, too. */
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

/** Tool names and arguments (source: 0.24.4; those of write, edit, shell and read ran). `task` is the older `agent`. */
const like: ClaudeLike = {
  agent: "qwen",
  events,
  tools: {
    run_shell_command: { kind: "shell", command: ["command"], workdir: ["directory"] },
    monitor: { kind: "shell", command: ["command"], workdir: ["directory"] },
    write_file: { kind: "write", path: ["file_path"] },
    edit: { kind: "edit", path: ["file_path"] },
    notebook_edit: { kind: "edit", path: ["notebook_path"] },
    read_file: { kind: "read", path: ["file_path", "absolute_path"] },
    web_fetch: { kind: "web" },
    web_search: { kind: "web" },
    agent: { kind: "agent" },
    task: { kind: "agent" },
  },
  projectEnv: ["QWEN_PROJECT_DIR"],
};

/**
 * Qwen Code, by its hook protocol of 0.24.4 and 0.15.10 (ran, 2026-11-30). With several hooks the fields of
 * `hookSpecificOutput` are merged and the last hook's win, while `decision` only ever gets stricter (source):
 * hence a refusal in both forms.
 */
export const agent: Agent = {
  id: "qwen",
  title: "Qwen Code",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply: replyClaudeLikeTwice,
};
