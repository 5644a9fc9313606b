import type { Agent } from "../../core/agent.ts";
import type { EventName } from "../../core/event.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyClaudeLike } from "../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Events as of August 2026 (docs). Older builds have only SessionStart, which never blocks. */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PermissionRequest: "permission",
  Stop: "turn-end",
  StopFailure: "error",
  SessionEnd: "session-end",
};

/** Its tool names are not documented: tools are judged by their names and arguments (guess). */
const like: ClaudeLike = { agent: "junie", events, tools: {} };

/** JetBrains' Junie CLI, by its documented events; field names and answers are a guess (2026-11-30). */
export const agent: Agent = {
  id: "junie",
  title: "Junie CLI",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply: replyClaudeLike,
};
