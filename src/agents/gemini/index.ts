import { type Agent, type Call, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict } from "../../core/read.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/**
 * Events of 0.61.0 that have a canonical meaning (ran, 2026-11-30). A tool that fails comes as AfterTool.
 * BeforeModel, AfterModel and BeforeToolSelection come with every request or chunk and mean nothing here.
 */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  BeforeAgent: "prompt",
  BeforeTool: "pre-tool",
  AfterTool: "post-tool",
  Notification: "notification",
  PreCompress: "pre-compact",
  AfterAgent: "turn-end",
  SessionEnd: "session-end",
};

/**
 * Tool names and arguments (source: 0.61.0; those of write, replace, shell and read ran). `directory` is the
 * older name of `dir_path`, `absolute_path` of `file_path` (docs). MCP tools are `mcp_<server>_<tool>`, and
 * were `mcp__server__tool` before.
 */
const like: ClaudeLike = {
  agent: "gemini",
  events,
  tools: {
    run_shell_command: { kind: "shell", command: ["command"], workdir: ["dir_path", "directory"] },
    write_file: { kind: "write", path: ["file_path"] },
    replace: { kind: "edit", path: ["file_path"] },
    read_file: { kind: "read", path: ["file_path", "absolute_path"] },
    web_fetch: { kind: "web" },
    google_web_search: { kind: "web" },
    invoke_agent: { kind: "agent" },
  },
  mcp: /^mcp_/,
  projectEnv: ["GEMINI_PROJECT_DIR"],
};

/** Gemini CLI, by its hook protocol of 0.61.0 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "gemini",
  title: "Gemini CLI",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

/** An automatic PreCompress comes before every request, compressed or not (ran: 0.61.0): it says nothing. */
function parse(raw: unknown, call: Call): Event | null {
  const event = parseClaudeLike(raw, call, like);
  return event?.name === "pre-compact" && dict(raw).trigger === "auto" ? null : event;
}

/**
 * `decision` and `reason` at the top, the rest in `hookSpecificOutput`; Claude Code's `permissionDecision` is
 * ignored (ran: 0.61.0). Anything on stdout but this object would be shown to the person.
 */
function reply(verdict: Verdict, event: Event): Reply {
  const fields: Record<string, unknown> = {};
  if (verdict.decision !== "allow") {
    fields.decision = verdict.decision === "ask" ? "ask" : "deny";
    fields.reason = verdict.reason;
  }
  const specific: Record<string, unknown> = {};
  // The whole object, as a part of one fails the tool's validation (ran: 0.61.0; the docs say it is merged).
  if (verdict.rewrite !== null) specific.tool_input = verdict.rewrite;
  if (verdict.context.length > 0) specific.additionalContext = verdict.context.join("\n\n");
  if (Object.keys(specific).length > 0) {
    fields.hookSpecificOutput = { hookEventName: event.native, ...specific };
  }
  if (verdict.messages.length > 0) fields.systemMessage = verdict.messages.join("\n");
  return Object.keys(fields).length === 0 ? silent : json(fields);
}
