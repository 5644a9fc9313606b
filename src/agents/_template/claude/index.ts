import type { Agent } from "../../../core/agent.ts";
import type { EventName } from "../../../core/event.ts";
import { type ClaudeLike, parseClaudeLike } from "../../_family/claude-like.ts";
import { replyClaudeLike } from "../../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Claude Code's events (guess, 2000-01-01). An event that is not named here is nothing to Holdfast. */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  SubagentStop: "subagent-stop",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/** Tools and the arguments that say what they touch (guess). Any other tool is judged by what its arguments are. */
const like: ClaudeLike = {
  agent: "newcomer",
  events,
  tools: {
    Bash: { kind: "shell", command: ["command"] },
    Write: { kind: "write", path: ["file_path"] },
    Edit: { kind: "edit", path: ["file_path"] },
    Read: { kind: "read", path: ["file_path"] },
    WebFetch: { kind: "web" },
    Task: { kind: "agent" },
  },
};

/** Newcomer, as if it spoke Claude Code's hook protocol (guess, 2000-01-01). */
export const agent: Agent = {
  id: "newcomer",
  title: "Newcomer",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply: replyClaudeLike,
};
