import { type Agent, type Call, json, type Reply } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict, text } from "../../core/read.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyByExit } from "../_family/exit-reply.ts";
import { can } from "./can.ts";

/** Events of 0.30.29 (source, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PostToolUseFailure: "tool-failed",
  PermissionRequest: "permission",
  Notification: "notification",
  PreCompact: "pre-compact",
  SubagentStop: "subagent-stop",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/** Which set of tools there is depends on the model (source); others are judged by their names and arguments. */
const like: ClaudeLike = {
  agent: "letta",
  events,
  tools: {
    Bash: { kind: "shell", command: ["command"] },
    shell_command: { kind: "shell", command: ["command"] },
    run_shell_command: { kind: "shell", command: ["command"] },
    Write: { kind: "write", path: ["file_path"] },
    write_file: { kind: "write", path: ["file_path"] },
    Edit: { kind: "edit", path: ["file_path"] },
    MultiEdit: { kind: "edit", path: ["file_path"] },
    replace: { kind: "edit", path: ["file_path"] },
    apply_patch: { kind: "patch", patch: ["input", "patch"] },
    Read: { kind: "read", path: ["file_path"] },
    read_file: { kind: "read", path: ["file_path"] },
    Task: { kind: "agent" },
  },
};

/** Letta Code: Claude Code's events under other field names (source: 0.30.29, 2026-11-30). */
export const agent: Agent = {
  id: "letta",
  title: "Letta Code",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const claudeLike = {
    ...payload,
    hook_event_name: text(payload.event_type) ?? payload.hook_event_name,
    cwd: text(payload.working_directory) ?? payload.cwd,
    tool_use_id: text(payload.tool_call_id) ?? payload.tool_use_id,
    // Its own id of the agent, not of a subagent.
    agent_id: null,
  };
  return parseClaudeLike(claudeLike, call, like);
}

/** Only exit code 2 blocks; what else is printed is context, or a new input before a tool (source: 0.30.29). */
function reply(verdict: Verdict, event: Event): Reply {
  const context = verdict.context.join("\n\n");
  if (event.name === "post-tool" && context !== "") {
    return json({ hookSpecificOutput: { hookEventName: event.native, additionalContext: context } });
  }
  if (event.name === "pre-tool" && verdict.rewrite !== null) {
    return json({ hookSpecificOutput: { hookEventName: event.native, updatedInput: verdict.rewrite } });
  }
  const heard = event.name === "prompt" || event.name === "session-start";
  return replyByExit(verdict, heard ? context : "");
}
