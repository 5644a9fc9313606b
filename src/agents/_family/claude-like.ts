import type { Call } from "../../core/agent.ts";
import { type Event, type EventName, eventNames } from "../../core/event.ts";
import { type Dict, dict, firstText, flag, list, text } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";

/** How one tool of a Claude-like agent carries what it touches: the argument names, in order of preference. */
export type ToolRule =
  | { readonly kind: "shell"; readonly command: readonly string[] }
  | { readonly kind: "write" | "edit" | "delete" | "read"; readonly path: readonly string[] }
  | { readonly kind: "patch"; readonly patch: readonly string[] }
  | { readonly kind: "web" | "agent" };

/** What differs between agents that send Claude Code's payload shape. */
export interface ClaudeLike {
  readonly agent: string;
  readonly events: Readonly<Record<string, EventName>>;
  readonly tools: Readonly<Record<string, ToolRule>>;
}

/** Reads a payload of Claude Code's shape (`hook_event_name`, `tool_name`, `tool_input`, …). */
export function parseClaudeLike(raw: unknown, call: Call, like: ClaudeLike): Event | null {
  const payload = dict(raw);
  const name = canonicalName(payload, call, like.events);
  if (name === null) return null;
  const base = {
    agent: like.agent,
    native: text(payload.hook_event_name) ?? call.event ?? name,
    session: firstText(payload, ["session_id", "sessionId"]),
    cwd: text(payload.cwd),
    projectHint: call.env.CLAUDE_PROJECT_DIR ?? null,
    subagent: text(payload.agent_id) !== null,
  };
  switch (name) {
    case "pre-tool":
    case "post-tool":
    case "tool-failed":
    case "permission":
      return { ...base, name, callId: text(payload.tool_use_id), tool: readTool(payload, like.tools) };
    case "turn-end":
      return {
        ...base,
        name,
        continued: flag(payload.stop_hook_active),
        backgroundTasks: list(payload.background_tasks).filter((task) => dict(task).status === "running")
          .length,
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

function readTool(payload: Dict, tools: ClaudeLike["tools"]): Tool {
  const name = text(payload.tool_name) ?? "";
  const raw = payload.tool_input;
  const input = typeof raw === "string" ? { input: raw } : dict(raw);
  const rule = Object.hasOwn(tools, name) ? tools[name] : undefined;
  return rule === undefined ? guessTool(name, input) : applyRule(name, input, rule);
}

function applyRule(name: string, input: Dict, rule: ToolRule): Tool {
  switch (rule.kind) {
    case "shell": {
      const command = firstText(input, rule.command);
      return {
        kind: "shell",
        name,
        input,
        commands: command === null ? [] : [command],
        workdir: workdirOf(input),
      };
    }
    case "patch":
      return { kind: "patch", name, input, patch: firstText(input, [...rule.patch, "input"]) ?? "" };
    case "web":
    case "agent":
      return { kind: rule.kind, name, input, paths: [] };
    default: {
      const path = firstText(input, rule.path);
      return { kind: rule.kind, name, input, paths: path === null ? [] : [path] };
    }
  }
}

/** A tool of a later version: whatever carries a command line is a shell, the rest shows its paths. */
function guessTool(name: string, input: Dict): Tool {
  if (name.startsWith("mcp__")) return { kind: "mcp", name, input, paths: pathsIn(input) };
  const command = text(input.command);
  if (command !== null) return { kind: "shell", name, input, commands: [command], workdir: workdirOf(input) };
  return { kind: "other", name, input, paths: pathsIn(input) };
}

function workdirOf(input: Dict): string | null {
  return firstText(input, ["workdir", "cwd", "working_directory"]);
}

const pathKeys = [
  "file_path",
  "filePath",
  "path",
  "notebook_path",
  "target_file",
  "targetFile",
  "file",
  "filename",
  "destination",
  "dest",
  "target",
  "source",
  "new_path",
  "old_path",
] as const;

/** Arguments of an unknown tool that look like paths, one level deep, lists included. */
export function pathsIn(input: Dict): string[] {
  const found: string[] = [];
  for (const key of [...pathKeys, "paths", "files", "file_paths"]) {
    const value = input[key];
    for (const item of Array.isArray(value) ? value : [value]) {
      const path = typeof item === "string" ? item : firstText(dict(item), ["path", "file_path"]);
      if (path) found.push(path);
    }
  }
  return found;
}
