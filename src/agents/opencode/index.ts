import { type Agent, type Call, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { type Dict, dict, firstText, flag, text } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import type { Verdict } from "../../core/verdict.ts";
import { pathsIn } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/** The plugin hooks and bus events the bridge relays. */
const events: Readonly<Record<string, EventName>> = {
  "tool.execute.before": "pre-tool",
  "session.idle": "turn-end",
  "experimental.text.complete": "turn-end",
};

/** OpenCode, by its plugin protocol of 1.18.33 (ran, 2026-11-30). Its hooks live in a plugin; `bridge.js` relays. */
export const agent: Agent = {
  id: "opencode",
  title: "OpenCode",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

/** Reads what the bridge sends: `{event, tool, args, sessionID, callID, directory, worktree, child, phase}`. */
function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const native = text(payload.event) ?? call.event ?? "";
  const name = events[native] ?? (call.event === null ? undefined : (events[call.event] ?? call.event));
  const base = {
    agent: "opencode",
    native,
    session: text(payload.sessionID),
    cwd: text(payload.directory),
    projectHint: worktreeOf(payload),
    subagent: flag(payload.child),
  };
  if (name === "pre-tool") {
    return { ...base, name, callId: text(payload.callID), tool: readTool(payload) };
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

/** Tool ids and arguments of 1.18.33 (ran); `multiedit` and `patch` are ids of older versions (docs). */
function readTool(payload: Dict): Tool {
  const name = text(payload.tool) ?? "";
  const input = dict(payload.args);
  const path = firstText(input, ["filePath", "file_path", "path"]);
  const paths = path === null ? [] : [path];
  switch (name) {
    case "bash": {
      const command = text(input.command);
      return {
        kind: "shell",
        name,
        input,
        commands: command === null ? [] : [command],
        workdir: text(input.workdir),
      };
    }
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
      return { kind: "mcp", name, input, paths: pathsIn(input) };
  }
}

/** The bridge's own small protocol: the verdict's fields, or nothing for a silent allow. */
function reply(verdict: Verdict, _event: Event): Reply {
  const { decision, reason, context, messages, rewrite } = verdict;
  if (decision === "allow" && context.length === 0 && messages.length === 0 && rewrite === null)
    return silent;
  return json({ decision, reason, context, messages, rewrite });
}
