import { type Agent, type Call, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict, list, text } from "../../core/read.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/** Events of 2.1.0 with a canonical meaning (source; ran: those with a recorded payload, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PostToolUseFailure: "tool-failed",
  PermissionRequest: "permission",
  Notification: "notification",
  PreCompact: "pre-compact",
  PostCompact: "post-compact",
  SubagentStart: "subagent-start",
  SubagentStop: "subagent-stop",
  Stop: "turn-end",
  SessionEnd: "session-end",
  StopFailure: "error",
};

/** Tools of 2.1.0 (ran); files are named by `path`. */
const like: ClaudeLike = {
  agent: "kimi",
  events,
  tools: {
    Bash: { kind: "shell", command: ["command"] },
    Write: { kind: "write", path: ["path", "file_path"] },
    Edit: { kind: "edit", path: ["path", "file_path"] },
    Read: { kind: "read", path: ["path", "file_path"] },
    Agent: { kind: "agent" },
  },
};

/** Kimi Code CLI, by its hook protocol of 2.1.0 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "kimi",
  title: "Kimi Code",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

/** Kimi has Claude Code's shape; the call id has another name, and a prompt comes in parts. */
function parse(raw: unknown, call: Call): Event | null {
  const { tool_call_id, prompt, ...rest } = dict(raw);
  const payload = { ...rest, tool_use_id: tool_call_id, prompt: promptText(prompt) };
  return parseClaudeLike(payload, { ...call, env: {} }, like);
}

function promptText(prompt: unknown): string {
  if (typeof prompt === "string") return prompt;
  return list(prompt)
    .map((part) => text(dict(part).text) ?? "")
    .join("\n");
}

/** Plain text on stdout would become context; a deny needs the whole object and exit 0 (ran: 2.1.0). */
function reply(verdict: Verdict, event: Event): Reply {
  if (verdict.decision === "deny" || verdict.decision === "continue") {
    const denial = { permissionDecision: "deny", permissionDecisionReason: verdict.reason };
    return json({ hookSpecificOutput: { hookEventName: event.native, ...denial } });
  }
  if (event.name === "prompt" && verdict.context.length > 0) {
    return json({ message: verdict.context.join("\n\n") });
  }
  return silent;
}
