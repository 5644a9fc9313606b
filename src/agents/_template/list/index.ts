import { type Agent, type Call, json, type Reply, silent } from "../../../core/agent.ts";
import type { Event, EventName } from "../../../core/event.ts";
import { dict, isDict, text } from "../../../core/read.ts";
import type { Verdict } from "../../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../../_family/claude-like.ts";
import { can } from "./can.ts";

/** Newcomer's events (guess, 2000-01-01). An event that is not named here is nothing to Holdfast. */
const events: Readonly<Record<string, EventName>> = {
  session_start: "session-start",
  prompt: "prompt",
  before_tool: "pre-tool",
  after_tool: "post-tool",
  turn_end: "turn-end",
  session_end: "session-end",
};

/** Tools and the arguments that say what they touch (guess). Any other tool is judged by what its arguments are. */
const like: ClaudeLike = {
  agent: "newcomer",
  events,
  tools: {
    shell: { kind: "shell", command: ["command"], workdir: ["cwd"] },
    write_file: { kind: "write", path: ["path"] },
    edit_file: { kind: "edit", path: ["path"] },
    read_file: { kind: "read", path: ["path"] },
  },
};

/** Newcomer, by a hook protocol of its own (guess, 2000-01-01). */
export const agent: Agent = {
  id: "newcomer",
  title: "Newcomer",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

/**
 * Gives the payload's fields the names they have in Claude Code's, of which all the reading is done already. Where
 * one is missing the name itself is looked for: `holdfast doctor` tries the installed command with such a payload.
 */
function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const tool = dict(payload.tool);
  const claudeLike = {
    ...payload,
    hook_event_name: text(payload.event) ?? payload.hook_event_name,
    session_id: text(payload.session) ?? payload.session_id,
    stop_hook_active: payload.continued,
    ...(isDict(payload.tool)
      ? { tool_name: tool.name, tool_input: tool.arguments, tool_use_id: tool.id }
      : {}),
  };
  return parseClaudeLike(claudeLike, call, like);
}

/** Says only what `can` lets through; a silent answer lets the call go on (guess). */
function reply(verdict: Verdict, _event: Event): Reply {
  if (verdict.decision === "deny") return json({ action: "reject", reason: verdict.reason });
  if (verdict.decision === "continue") return json({ action: "continue", reason: verdict.reason });
  return silent;
}
