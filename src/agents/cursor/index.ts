import { type Agent, type Call, json, type Reply, silent } from "../../core/agent.ts";
import { askThePerson } from "../../core/carry.ts";
import type { Event, EventName } from "../../core/event.ts";
import { type Dict, dict, text, texts } from "../../core/read.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/**
 * Events with a canonical meaning (source: @cursor/sdk 1.0.32, 2026-11-30). Left out: `afterShellExecution`,
 * `afterMCPExecution` and `afterFileEdit`, which only repeat `postToolUse`.
 */
const events: Readonly<Record<string, EventName>> = {
  beforeShellExecution: "pre-tool",
  beforeMCPExecution: "pre-tool",
  beforeReadFile: "pre-tool",
  preToolUse: "pre-tool",
  postToolUse: "post-tool",
  postToolUseFailure: "tool-failed",
  beforeSubmitPrompt: "prompt",
  sessionStart: "session-start",
  sessionEnd: "session-end",
  preCompact: "pre-compact",
  subagentStart: "subagent-start",
  subagentStop: "subagent-stop",
  stop: "turn-end",
};

/**
 * Tools (source: @cursor/sdk 1.0.32; those in the last lines are matchers of public configurations, guess). An edit
 * in place arrives as `Write`. `WriteShellStdin` tells only how much is typed, not what.
 */
const like: ClaudeLike = {
  agent: "cursor",
  events,
  tools: {
    Shell: { kind: "shell", command: ["command"], workdir: ["cwd"] },
    Write: { kind: "write", path: ["file_path", "path", "filePath", "target_file"] },
    Delete: { kind: "delete", path: ["file_path", "path", "filePath", "target_file"] },
    Read: { kind: "read", path: ["file_path", "path"] },
    Fetch: { kind: "web" },
    Task: { kind: "agent" },
    Edit: { kind: "edit", path: ["file_path", "path", "filePath", "target_file"] },
    StrReplace: { kind: "edit", path: ["file_path", "path", "filePath", "target_file"] },
    TabWrite: { kind: "edit", path: ["file_path", "path", "filePath", "target_file"] },
  },
  mcp: /^MCP:/,
  projectEnv: ["CURSOR_PROJECT_DIR"],
  subagent: ["parent_tool_call_id"],
};

/** Cursor, by the hook code in its vendor's SDK package (source: 1.0.32, 2026-11-30). */
export const agent: Agent = {
  id: "cursor",
  title: "Cursor",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

/** A follow-up is taken up only after a turn that completed, so other ends are nothing to us. */
function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const native = text(payload.hook_event_name) ?? call.event ?? "";
  if (native === "stop" && (text(payload.status) ?? "completed") !== "completed") return null;
  const [root] = texts(payload.workspace_roots);
  const claudeLike = {
    ...payload,
    ...toolOf(payload, native),
    session_id: text(payload.session_id) ?? payload.conversation_id,
    cwd: root ?? payload.cwd,
    stop_hook_active: Number(payload.loop_count) > 0,
  };
  return parseClaudeLike(claudeLike, call, like);
}

/** Three events name their tool only by themselves. */
function toolOf(payload: Dict, native: string): Dict {
  switch (native) {
    case "beforeShellExecution":
      return { tool_name: "Shell", tool_input: { command: payload.command, cwd: payload.cwd } };
    case "beforeMCPExecution":
      return { tool_name: `MCP:${text(payload.tool_name) ?? ""}` };
    case "beforeReadFile":
      return { tool_name: "Read", tool_input: { file_path: payload.file_path } };
    default:
      return {};
  }
}

/** Above this many characters Cursor drops a context as a whole (source: @cursor/sdk 1.0.32). */
const longestContext = 10_000;

/** A field of a wrong type would block the call, so each event gets exactly the fields it knows. */
function reply(verdict: Verdict, event: Event): Reply {
  const fields = event.name === "pre-tool" ? permission(verdict, event) : answer(verdict, event);
  return Object.keys(fields).length === 0 ? silent : json(fields);
}

function permission({ decision, reason }: Verdict, event: Event): Dict {
  if (decision !== "deny" && decision !== "ask") return {};
  const asks = decision === "ask" && event.native === "beforeShellExecution";
  const words = decision === "ask" && !asks ? `${reason}\n${askThePerson}` : reason;
  return { permission: asks ? "ask" : "deny", user_message: words, agent_message: words };
}

function answer(verdict: Verdict, event: Event): Dict {
  const context = verdict.context.join("\n\n").slice(0, longestContext);
  return {
    ...(event.name === "prompt" && verdict.decision === "deny"
      ? { continue: false, user_message: verdict.reason }
      : {}),
    ...(event.name === "turn-end" && verdict.decision === "continue"
      ? { followup_message: verdict.reason }
      : {}),
    ...(context === "" ? {} : { additional_context: context }),
  };
}
