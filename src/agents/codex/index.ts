import { type Agent, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/** Events of 0.171.0 (source: the JSON schemas inside the binary, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PermissionRequest: "permission",
  PreCompact: "pre-compact",
  PostCompact: "post-compact",
  SubagentStart: "subagent-start",
  SubagentStop: "subagent-stop",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/** `apply_patch` carries the whole patch text in `command` (ran: 0.171.0, also in code mode). */
const like: ClaudeLike = {
  agent: "codex",
  events,
  tools: {
    Bash: { kind: "shell", command: ["command", "cmd"] },
    exec_command: { kind: "shell", command: ["command", "cmd"] },
    apply_patch: { kind: "patch", patch: ["command", "patch"] },
    view_image: { kind: "read", path: ["path"] },
    spawn_agent: { kind: "agent" },
  },
};

/** Codex CLI, by its hook protocol of 0.171.0 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "codex",
  title: "Codex",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply,
};

/**
 * Codex's answers are strict: one unknown field, a bare allow, or an ask, and the hook counts as failed
 * while the tool runs (ran: 0.171.0). So each event gets exactly the fields it knows.
 */
function reply(verdict: Verdict, event: Event): Reply {
  const fields: Record<string, unknown> = {};
  if (event.name === "pre-tool") {
    const specific = preToolOutput(verdict);
    if (specific !== null) fields.hookSpecificOutput = specific;
  } else if (verdict.decision === "deny" || verdict.decision === "continue") {
    fields.decision = "block";
    fields.reason = verdict.reason;
  }
  if (event.name !== "pre-tool" && verdict.context.length > 0) {
    fields.hookSpecificOutput = {
      hookEventName: event.native,
      additionalContext: verdict.context.join("\n\n"),
    };
  }
  if (verdict.messages.length > 0) fields.systemMessage = verdict.messages.join("\n");
  return Object.keys(fields).length === 0 ? silent : json(fields);
}

function preToolOutput(verdict: Verdict): Record<string, unknown> | null {
  const out: Record<string, unknown> = {};
  if (verdict.decision === "deny") {
    out.permissionDecision = "deny";
    out.permissionDecisionReason = verdict.reason;
  } else if (verdict.rewrite !== null) {
    out.permissionDecision = "allow";
    out.updatedInput = verdict.rewrite;
  }
  if (verdict.context.length > 0) out.additionalContext = verdict.context.join("\n\n");
  return Object.keys(out).length === 0 ? null : { hookEventName: "PreToolUse", ...out };
}
