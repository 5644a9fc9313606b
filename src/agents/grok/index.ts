import type { Agent, Call } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict, text } from "../../core/read.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyClaudeLikeTwice } from "../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Events of 1.0.41 that have a canonical meaning (docs: the manual in the binary, 2026-11-30; most ran). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PostToolUseFailure: "tool-failed",
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
 * Tool names and arguments of 1.0.41 (ran). A payload says everything twice, in camelCase and in Claude
 * Code's spelling. MCP calls carry the inner name, `<server>__<tool>`.
 */
const like: ClaudeLike = {
  agent: "grok",
  events,
  tools: {
    run_terminal_command: { kind: "shell", command: ["command"] },
    search_replace: { kind: "edit", path: ["file_path", "path"] },
    write: { kind: "write", path: ["file_path", "path"] },
    read_file: { kind: "read", path: ["target_file", "file_path"] },
    web_search: { kind: "web" },
    web_fetch: { kind: "web" },
    spawn_subagent: { kind: "agent" },
  },
  mcp: /__/,
  projectEnv: ["GROK_WORKSPACE_ROOT"],
  subagent: ["subagentType", "subagent_type"],
};

/** Grok, by its hook protocol of 1.0.41 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "grok",
  title: "Grok",
  events,
  can,
  payload: "stdin",
  parse,
  reply: replyClaudeLikeTwice,
};

/** Stop comes once more when the session closes, with another reason, and nobody listens (ran: 1.0.41). */
function parse(raw: unknown, call: Call): Event | null {
  const event = parseClaudeLike(raw, call, like);
  if (event?.name !== "turn-end") return event;
  const reason = text(dict(raw).reason);
  return reason === null || reason === "end_turn" ? event : null;
}
