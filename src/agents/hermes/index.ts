import { type Agent, type Call, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict } from "../../core/read.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/**
 * Events of autumn 2026 (source). `on_session_end` comes at the end of every turn and cannot keep it going, so
 * `pre_verify` is the turn end.
 */
const events: Readonly<Record<string, EventName>> = {
  on_session_start: "session-start",
  pre_llm_call: "prompt",
  pre_tool_call: "pre-tool",
  post_tool_call: "post-tool",
  pre_approval_request: "permission",
  subagent_start: "subagent-start",
  subagent_stop: "subagent-stop",
  pre_verify: "turn-end",
  on_session_finalize: "session-end",
};

/** Tools (source). `patch` replaces a text in one file, or takes a whole patch. */
const like: ClaudeLike = {
  agent: "hermes",
  events,
  tools: {
    terminal: { kind: "shell", command: ["command"] },
    write_file: { kind: "write", path: ["path"] },
    patch: { kind: "edit", path: ["path"] },
    read_file: { kind: "read", path: ["path"] },
    web_search: { kind: "web" },
    web_extract: { kind: "web" },
  },
};

/** Hermes Agent, by its public source of autumn 2026 (source, 2026-11-30). */
export const agent: Agent = {
  id: "hermes",
  title: "Hermes Agent",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const extra = dict(payload.extra);
  const claudeLike = {
    ...payload,
    tool_use_id: extra.tool_call_id ?? payload.tool_use_id,
    prompt: extra.user_message,
    stop_hook_active: Number(extra.attempt) > 1,
  };
  const event = parseClaudeLike(claudeLike, call, like);
  const patch = dict(payload.tool_input).patch;
  if (event === null || !("tool" in event) || event.tool.name !== "patch" || typeof patch !== "string")
    return event;
  return { ...event, tool: { kind: "patch", name: "patch", input: event.tool.input, patch } };
}

function reply(verdict: Verdict, event: Event): Reply {
  const { decision, reason, context, rewrite } = verdict;
  if (event.name === "pre-tool") {
    if (decision === "deny") return json({ decision: "block", reason });
    return rewrite === null ? silent : json({ action: "modify", args: rewrite });
  }
  if (event.name === "turn-end" && decision === "continue")
    return json({ action: "continue", message: reason });
  if (event.name === "prompt" && context.length > 0) return json({ context: context.join("\n\n") });
  return silent;
}
