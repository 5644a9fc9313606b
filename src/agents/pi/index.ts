import type { Agent, Call } from "../../core/agent.ts";
import { type Event, type EventName, eventNames } from "../../core/event.ts";
import { type Dict, dict, firstText, text } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import { replyToBridge } from "../_family/bridge-reply.ts";
import { pathsIn, serverTool } from "../_family/server-tool.ts";
import { can } from "./can.ts";

/**
 * The events the bridge relays: the first two with 1.6.0, `turn_end` in place of the second with 0.73.1 (ran,
 * 2026-11-30). pi has no subagents, no permission prompts and no notifications of its own.
 */
const events: Readonly<Record<string, EventName>> = {
  tool_call: "pre-tool",
  agent_before_settle: "turn-end",
  turn_end: "turn-end",
};

/** pi, by its extension protocol of 1.6.0 and 0.73.1 (ran, 2026-11-30). Its hooks live in an extension. */
export const agent: Agent = {
  id: "pi",
  title: "pi",
  events,
  can,
  payload: "stdin",
  parse,
  reply: replyToBridge,
};

/** Reads what the bridge sends: `{event: pi's own event, ctx: {cwd, hasUI, mode, session}}`. */
function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const event = dict(payload.event);
  const ctx = dict(payload.ctx);
  const native = text(event.type) ?? call.event ?? "";
  const name = events[native] ?? eventNames.find((known) => known === call.event);
  const base = {
    agent: "pi",
    native,
    session: text(ctx.session),
    cwd: text(ctx.cwd),
    projectHint: null,
    subagent: false,
  };
  if (name === "pre-tool") return { ...base, name, callId: text(event.toolCallId), tool: readTool(event) };
  if (name === "turn-end") {
    return { ...base, name, continued: false, backgroundTasks: 0, phase: "final" };
  }
  return null;
}

/**
 * Tools of 1.6.0 (ran; `powershell` docs). The script of `codemode` is not read: every call it makes arrives as
 * an event of its own (ran: 1.6.0).
 */
function readTool(event: Dict): Tool {
  const name = text(event.toolName) ?? "";
  const input = dict(event.input);
  const path = firstText(input, ["path", "file_path", "filePath"]);
  const paths = path === null ? [] : [path];
  switch (name) {
    case "bash":
    case "powershell": {
      const command = text(input.command);
      return {
        kind: "shell",
        name,
        input,
        commands: command === null ? [] : [command],
        workdir: text(input.cwd),
      };
    }
    case "write":
    case "edit":
    case "read":
      return { kind: name, name, input, paths };
    case "grep":
    case "find":
    case "ls":
    case "codemode":
      return { kind: "other", name, input, paths: [] };
    default:
      return name.startsWith("mcp__") ? serverTool(name, input) : customTool(name, input);
  }
}

/** A tool of another extension: whatever carries a command line is a shell, the rest shows its paths. */
function customTool(name: string, input: Dict): Tool {
  const command = text(input.command);
  return command === null
    ? { kind: "other", name, input, paths: pathsIn(input) }
    : { kind: "shell", name, input, commands: [command], workdir: text(input.cwd) };
}
