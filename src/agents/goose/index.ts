import { type Agent, type Call, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { serverTool } from "../_family/server-tool.ts";
import { can } from "./can.ts";

/**
 * Events of 1.52.0 (ran, 2026-11-30). Left out: `PreToolUseResult`, `BeforeReadFile`, `AfterFileEdit`,
 * `BeforeShellExecution` and `AfterShellExecution` only repeat what these say.
 */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PostToolUseFailure: "tool-failed",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/**
 * Tools of 1.52.0 (ran; `read_image`, `tree` and the like touch nothing). `developer__…` are the names of
 * versions before 1.37 (docs); `text_editor` edits, creates and views by its `command` argument.
 */
const like: ClaudeLike = {
  agent: "goose",
  events,
  tools: {
    shell: { kind: "shell", command: ["command"] },
    developer__shell: { kind: "shell", command: ["command"] },
    write: { kind: "write", path: ["path"] },
    developer__write: { kind: "write", path: ["path"] },
    edit: { kind: "edit", path: ["path"] },
    developer__edit: { kind: "edit", path: ["path"] },
    view: { kind: "read", path: ["path"] },
    read_image: { kind: "read", path: ["source"] },
    delegate: { kind: "agent" },
  },
};

/** Goose, by its hook protocol of 1.52.0 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "goose",
  title: "Goose",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

/** Goose has Claude Code's shape with names of its own. Variables other agents left behind say nothing here. */
function parse(raw: unknown, call: Call): Event | null {
  const { event, working_dir, tool_call_id, message, tool_name, tool_input, ...rest } = dict(raw);
  const editor = tool_name === "developer__text_editor";
  const view = editor && dict(tool_input).command === "view";
  const payload = {
    ...rest,
    hook_event_name: event,
    cwd: working_dir,
    tool_use_id: tool_call_id,
    prompt: message,
    tool_name: editor ? (view ? "view" : "edit") : tool_name,
    tool_input,
  };
  const parsed = parseClaudeLike(payload, { ...call, env: {} }, like);
  return parsed !== null && "tool" in parsed ? { ...parsed, tool: mcpKind(parsed.tool) } : parsed;
}

/** MCP tools are named `<extension>__<tool>` (ran: 1.52.0). */
function mcpKind(tool: Tool): Tool {
  return tool.kind === "other" && tool.name.includes("__") ? serverTool(tool.name, tool.input) : tool;
}

/** Anything on stdout but a decision counts as a failed hook (source: main, 2026-11-30). */
function reply(verdict: Verdict, _event: Event): Reply {
  const blocks = verdict.decision === "deny" || verdict.decision === "continue";
  return blocks ? json({ decision: "block", reason: verdict.reason }) : silent;
}
