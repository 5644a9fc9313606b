import type { Agent, Call } from "../../core/agent.ts";
import { type Event, type EventName, eventNames } from "../../core/event.ts";
import { type Dict, dict, firstText, isDict, parsedList, text, texts } from "../../core/read.ts";
import { can } from "./can.ts";
import { reply } from "./reply.ts";
import { readTool } from "./tools.ts";

/**
 * By surface: `tool_call` and its like come from scripts the CLI runs (ran: 3.0.65), `PreToolUse` and its like
 * from scripts the editor extension runs (source: 4.1.13), `beforeTool` from our CLI plugin (ran: 3.0.65).
 * Turn end is `submit_and_exit`, a tool of `--yolo`; every other end is told when it is over, so `agent_end`,
 * `TaskComplete` and `afterRun` are left out. Dates: 2026-11-30.
 */
const events: Readonly<Record<string, EventName>> = {
  tool_call: "pre-tool",
  PreToolUse: "pre-tool",
  beforeTool: "pre-tool",
  submit_and_exit: "turn-end",
  tool_result: "post-tool",
  PostToolUse: "post-tool",
  prompt_submit: "prompt",
  UserPromptSubmit: "prompt",
  agent_start: "session-start",
  agent_resume: "session-start",
  TaskStart: "session-start",
  TaskResume: "session-start",
  session_shutdown: "session-end",
  agent_error: "error",
};

/** Cline's CLI and editor extensions, by their hook scripts and the CLI's plugin protocol. */
export const agent: Agent = {
  id: "cline",
  title: "Cline",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const native = text(payload.hookName) ?? call.event ?? "";
  const name = events[native] ?? eventNames.find((known) => known === call.event);
  const used = toolOf(payload);
  const base = {
    agent: "cline",
    native,
    session: text(dict(payload.sessionContext).rootSessionId) ?? text(payload.taskId),
    cwd: text(dict(payload.workspaceInfo).rootPath) ?? texts(payload.workspaceRoots)[0] ?? null,
    projectHint: null,
    subagent: text(payload.parent_agent_id) !== null,
  };
  if (name === "pre-tool" && used.name === "submit_and_exit") {
    const end = { continued: false, backgroundTasks: 0, phase: "final" } as const;
    return { ...base, native: used.name, name: "turn-end", ...end };
  }
  switch (name) {
    case "pre-tool":
    case "post-tool": {
      const tool = readTool(used.name, used.input);
      // The script leaves MCP tools to the plugin while that one is there: it can refuse them alone.
      const plugin = native === "tool_call" && tool.kind === "mcp" && call.argv.includes("plugin");
      return plugin ? null : { ...base, name, callId: used.id, tool };
    }
    case "prompt":
      return isReminder(promptOf(payload)) ? null : { ...base, name, prompt: promptOf(payload) };
    case "session-start":
      return { ...base, name: base.subagent ? "subagent-start" : name };
    case "session-end":
    case "error":
      return { ...base, name };
    default:
      return null;
  }
}

function promptOf(payload: Dict): string {
  return text(dict(payload.userPromptSubmit).prompt) ?? "";
}

/** What `--yolo` says to a model that stopped without its last tool comes as a prompt too (ran: 3.0.65). */
function isReminder(prompt: string): boolean {
  return prompt.startsWith("[SYSTEM] ");
}

interface Used {
  readonly id: string | null;
  readonly name: string;
  readonly input: unknown;
}

/**
 * The CLI's `tool_call` has the arguments as they are. The extension has only `parameters`, where everything
 * but texts is JSON inside a text (source: 4.1.13).
 */
function toolOf(payload: Dict): Used {
  const cli = [payload.tool_call, payload.tool_result].find(isDict);
  if (cli !== undefined) return { id: text(cli.id), name: text(cli.name) ?? "", input: cli.input };
  const editor = dict(payload.preToolUse ?? payload.postToolUse);
  const input = Object.entries(dict(editor.parameters)).map(([key, value]) => [key, unpacked(key, value)]);
  return { id: null, name: firstText(editor, ["toolName", "tool"]) ?? "", input: Object.fromEntries(input) };
}

/** Only where lists belong: a file's text that happens to be JSON stays a text. */
function unpacked(key: string, value: unknown): unknown {
  if (typeof value !== "string" || !["commands", "files"].includes(key)) return value;
  const items = parsedList(value);
  return items.length > 0 ? items : value;
}
