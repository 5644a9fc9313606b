import type { Call } from "../../core/agent.ts";
import { type Event, type EventName, eventNames } from "../../core/event.ts";
import { type Dict, dict, firstText, flag, isDict, list, parsedDict, text, texts } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import { firstCommand } from "./command-line.ts";
import { cutInput, withoutGap } from "./cut-input.ts";
import { pathsIn, serverTool } from "./server-tool.ts";

/** How one tool of a Claude-like agent carries what it touches: the argument names, in order of preference. */
export type ToolRule =
  | { readonly kind: "shell"; readonly command: readonly string[]; readonly workdir?: readonly string[] }
  | { readonly kind: "write" | "edit" | "delete" | "read"; readonly path: readonly string[] }
  | { readonly kind: "patch"; readonly patch: readonly string[] }
  | { readonly kind: "web" | "agent" | "other" };

/** What differs between agents that send Claude Code's payload shape. */
export interface ClaudeLike {
  readonly agent: string;
  readonly events: Readonly<Record<string, EventName>>;
  readonly tools: Readonly<Record<string, ToolRule>>;
  /** What names of MCP tools look like; `mcp__server__tool` where nothing is said. */
  readonly mcp?: RegExp;
  /**
   * Variables in which it says where it was started. Only those it sets by itself: `CLAUDE_PROJECT_DIR` is also
   * inherited by an agent that Claude Code starts in another project.
   */
  readonly projectEnv?: readonly string[];
  /** Fields that only events from inside a subagent have; `agent_id` where nothing is said. */
  readonly subagent?: readonly string[];
}

/** Reads a payload of Claude Code's shape (`hook_event_name`, `tool_name`, `tool_input`, …), or its camelCase twin. */
export function parseClaudeLike(raw: unknown, call: Call, like: ClaudeLike): Event | null {
  const payload = dict(raw);
  const name = canonicalName(payload, call, like.events);
  if (name === null) return null;
  const base = {
    agent: like.agent,
    native: nativeName(payload, call, name, like.events),
    session: firstText(payload, ["session_id", "sessionId"]),
    cwd: text(payload.cwd),
    projectHint: firstText(call.env, like.projectEnv ?? []),
    subagent: firstText(payload, like.subagent ?? ["agent_id"]) !== null,
  };
  switch (name) {
    case "pre-tool":
    case "post-tool":
    case "tool-failed":
    case "permission":
      return {
        ...base,
        name,
        callId: firstText(payload, ["tool_use_id", "toolUseId"]),
        tool: readTool(payload, like),
      };
    case "turn-end":
      return {
        ...base,
        name,
        continued: flag(payload.stop_hook_active) || flag(payload.stopHookActive),
        backgroundTasks: list(payload.background_tasks ?? payload.backgroundTasks).filter(isRunning).length,
        phase: "final",
      };
    case "prompt":
      return { ...base, name, prompt: text(payload.prompt) ?? "" };
    case "pre-commit":
      return null;
    default:
      return { ...base, name };
  }
}

/** The payload knows best; the command line decides only when the payload is silent or new to us. */
function canonicalName(payload: Dict, call: Call, events: ClaudeLike["events"]): EventName | null {
  const native = text(payload.hook_event_name);
  const fromPayload = native === null ? undefined : events[native];
  if (fromPayload !== undefined) return fromPayload;
  if (call.event === null) return null;
  return events[call.event] ?? eventNames.find((known) => known === call.event) ?? null;
}

/** The agent's own event name, also where only the command line knows which event it is. */
function nativeName(payload: Dict, call: Call, name: EventName, events: ClaudeLike["events"]): string {
  const said = text(payload.hook_event_name);
  if (said !== null) return said;
  if (call.event !== null && Object.hasOwn(events, call.event)) return call.event;
  return Object.keys(events).find((native) => events[native] === name) ?? name;
}

function isRunning(task: unknown): boolean {
  return dict(task).status === "running";
}

/**
 * Arguments come as an object, as its JSON text (Copilot CLI before 1.0), as the first part of that text
 * (Grok, from 128 KiB on; ran: 1.0.41), or as bare text (a patch).
 */
function readTool(payload: Dict, like: ClaudeLike): Tool {
  const name = firstText(payload, ["tool_name", "toolName"]) ?? "";
  const raw = payload.tool_input ?? payload.toolInput ?? payload.toolArgs;
  const input = typeof raw === "string" ? textInput(raw) : dict(raw);
  const rule = Object.hasOwn(like.tools, name) ? like.tools[name] : undefined;
  if (typeof raw === "string" && rule?.kind !== "shell" && isPatch(raw)) {
    return { kind: "patch", name, input, patch: raw };
  }
  const tool =
    rule === undefined ? guessTool(name, input, like.mcp ?? /^mcp__/) : applyRule(name, input, rule);
  return typeof raw === "string" && namesItsFile(tool) ? { ...tool, input: withoutGap(input) } : tool;
}

function textInput(raw: string): Dict {
  return parsedDict(raw) ?? (/^\s*\{/.test(raw) ? cutInput(raw) : { input: raw });
}

/** Then nothing that was cut off behind the name decides. */
function namesItsFile(tool: Tool): boolean {
  return tool.kind !== "shell" && tool.kind !== "patch" && isFileKind(tool.kind) && tool.paths.length > 0;
}

function isFileKind(kind: Tool["kind"]): boolean {
  return kind === "write" || kind === "edit" || kind === "delete" || kind === "read";
}

function isPatch(value: string): boolean {
  return value.includes("*** Begin Patch");
}

function applyRule(name: string, input: Dict, rule: ToolRule): Tool {
  switch (rule.kind) {
    case "shell": {
      const command = firstCommand(input, [...rule.command, "input"]);
      return {
        kind: "shell",
        name,
        input,
        commands: command === null ? [] : [command],
        workdir: firstText(input, rule.workdir ?? workdirKeys),
      };
    }
    case "patch":
      return { kind: "patch", name, input, patch: firstText(input, [...rule.patch, "input"]) ?? "" };
    case "web":
    case "agent":
    case "other":
      return { kind: rule.kind, name, input, paths: [] };
    default:
      return { kind: rule.kind, name, input, paths: firstPaths(input, rule.path) };
  }
}

/** The first of the named arguments that holds a path or a list of paths. */
function firstPaths(input: Dict, keys: readonly string[]): string[] {
  for (const key of keys) {
    const value = input[key];
    const paths = (typeof value === "string" ? [value] : texts(value)).filter((path) => path !== "");
    if (paths.length > 0) return paths;
  }
  return [];
}

/** A tool of a later version: whatever carries a command line is a shell, the rest shows its paths. */
function guessTool(name: string, input: Dict, mcp: RegExp): Tool {
  // Grok hands on the arguments of an MCP call as `{tool_name, tool_input}` (ran: 1.0.41).
  const inner = isDict(input.tool_input) ? input.tool_input : input;
  if (mcp.test(name)) return serverTool(name, inner, input);
  const command = firstCommand(inner, ["command", "cmd"]);
  if (command !== null)
    return { kind: "shell", name, input, commands: [command], workdir: firstText(inner, workdirKeys) };
  return { kind: "other", name, input, paths: pathsIn(inner) };
}

const workdirKeys = ["workdir", "cwd", "working_directory"] as const;
