import type { Call } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { type Dict, dict, firstText, flag, text } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import { serverTool } from "./server-tool.ts";

/** What differs between OpenCode and its forks. */
export interface OpencodeLike {
  readonly agent: string;
  /** The plugin hooks and bus events the bridge relays. */
  readonly events: Readonly<Record<string, EventName>>;
  /** Tools of a fork that run a command line in `command`. */
  readonly shells: readonly string[];
  /** Built-in tools of a fork that touch no file and run nothing. */
  readonly harmless: readonly string[];
}

/** Reads what the bridge sends: `{event, tool, args, sessionID, callID, directory, worktree, child, phase}`. */
export function parseOpencodeLike(raw: unknown, call: Call, like: OpencodeLike): Event | null {
  const payload = dict(raw);
  const native = text(payload.event) ?? call.event ?? "";
  const { events } = like;
  const name = events[native] ?? (call.event === null ? undefined : (events[call.event] ?? call.event));
  const base = {
    agent: like.agent,
    native,
    session: text(payload.sessionID),
    cwd: text(payload.directory),
    // Told to the plugin once, when it is loaded: where the session was started.
    projectHint: text(payload.directory) ?? worktreeOf(payload),
    subagent: flag(payload.child),
  };
  if (name === "pre-tool") {
    return { ...base, name, callId: text(payload.callID), tool: readTool(payload, like) };
  }
  if (name === "turn-end") {
    return { ...base, name, continued: flag(payload.continued), backgroundTasks: 0, phase: phaseOf(payload) };
  }
  return null;
}

function phaseOf(payload: Dict): "final" | "tentative" | "settled" {
  return payload.phase === "tentative" || payload.phase === "settled" ? payload.phase : "final";
}

/** Outside a repository OpenCode reports `/` as the worktree (source: 1.18.33). */
function worktreeOf(payload: Dict): string | null {
  const worktree = text(payload.worktree);
  return worktree === "/" ? null : worktree;
}

/**
 * Tool ids and arguments of OpenCode 1.18.33 and Kilo 7.7.7 (ran); `multiedit` and `patch` are ids of older
 * versions (docs).
 */
function readTool(payload: Dict, { shells, harmless }: OpencodeLike): Tool {
  const name = text(payload.tool) ?? "";
  const input = dict(payload.args);
  const path = firstText(input, ["filePath", "file_path", "path"]);
  const paths = path === null ? [] : [path];
  if (harmless.includes(name)) return { kind: "other", name, input, paths: [] };
  if (shells.includes(name)) return shell(name, input);
  switch (name) {
    case "bash":
      return shell(name, input);
    case "write":
      return { kind: "write", name, input, paths };
    case "edit":
    case "multiedit":
      return { kind: "edit", name, input, paths };
    case "apply_patch":
    case "patch":
      return { kind: "patch", name, input, patch: firstText(input, ["patchText", "patch", "input"]) ?? "" };
    case "read":
      return { kind: "read", name, input, paths };
    case "webfetch":
      return { kind: "web", name, input, paths: [] };
    case "task":
      return { kind: "agent", name, input, paths: [] };
    case "glob":
    case "grep":
    case "list":
    case "todowrite":
    case "todoread":
    case "skill":
    case "question":
      return { kind: "other", name, input, paths: [] };
    default:
      return serverTool(name, input);
  }
}

function shell(name: string, input: Dict): Tool {
  const command = text(input.command);
  const commands = command === null ? [] : [command];
  return { kind: "shell", name, input, commands, workdir: text(input.workdir) };
}
