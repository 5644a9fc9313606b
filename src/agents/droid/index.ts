import { type Agent, json, type Reply } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyClaudeLike } from "../_family/claude-reply.ts";
import { can } from "./can.ts";

/** Events of 0.225.2 (source, 2026-11-30; SessionStart, PreToolUse, PostToolUse, Stop and SessionEnd ran). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  Notification: "notification",
  PreCompact: "pre-compact",
  SubagentStop: "subagent-stop",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/**
 * Tool names and arguments (source: 0.225.2; those of Create, Edit, Execute and Read ran). ApplyPatch carries
 * the patch text in `input`. MCP tools are `<server>___<tool>`.
 */
const like: ClaudeLike = {
  agent: "droid",
  events,
  tools: {
    Execute: { kind: "shell", command: ["command"] },
    Create: { kind: "write", path: ["file_path"] },
    Edit: { kind: "edit", path: ["file_path"] },
    MultiEdit: { kind: "edit", path: ["file_path"] },
    ApplyPatch: { kind: "patch", patch: ["input", "patch"] },
    Read: { kind: "read", path: ["file_path"] },
    FetchUrl: { kind: "web" },
    WebSearch: { kind: "web" },
    Task: { kind: "agent" },
  },
  mcp: /___/,
  projectEnv: ["FACTORY_PROJECT_DIR"],
};

/** Factory Droid, by its hook protocol of 0.225.2 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "droid",
  title: "Factory Droid",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply,
};

/** A prompt is refused by `continue`; `decision` counts at a turn end only (source: 0.225.2). */
function reply(verdict: Verdict, event: Event): Reply {
  if (event.name === "prompt" && verdict.decision === "deny") {
    return json({ continue: false, stopReason: verdict.reason });
  }
  return replyClaudeLike(verdict, event);
}
