import type { Agent, Call } from "../../../core/agent.ts";
import type { Event, EventName } from "../../../core/event.ts";
import { dict } from "../../../core/read.ts";
import { replyToBridge } from "../../_family/bridge-reply.ts";
import { type ClaudeLike, parseClaudeLike } from "../../_family/claude-like.ts";
import { can } from "./can.ts";

/** The events the bridge relays (guess, 2000-01-01). */
const events: Readonly<Record<string, EventName>> = {
  "tool.before": "pre-tool",
  "turn.end": "turn-end",
};

/** Tools and the arguments that say what they touch (guess). Any other tool is judged by what its arguments are. */
const like: ClaudeLike = {
  agent: "newcomer",
  events,
  tools: {
    shell: { kind: "shell", command: ["command"], workdir: ["cwd"] },
    write: { kind: "write", path: ["path"] },
    edit: { kind: "edit", path: ["path"] },
    read: { kind: "read", path: ["path"] },
  },
};

/** Newcomer, whose hooks live in a plugin (guess, 2000-01-01). */
export const agent: Agent = {
  id: "newcomer",
  title: "Newcomer",
  events,
  can,
  payload: "stdin",
  parse,
  reply: replyToBridge,
};

/** Reads what `bridge.js` sends. */
function parse(raw: unknown, call: Call): Event | null {
  const { event, session, directory, id, tool, input, continued } = dict(raw);
  const claudeLike = {
    hook_event_name: event,
    session_id: session,
    cwd: directory,
    tool_name: tool,
    tool_input: input,
    tool_use_id: id,
    stop_hook_active: continued,
  };
  return parseClaudeLike(claudeLike, call, like);
}
