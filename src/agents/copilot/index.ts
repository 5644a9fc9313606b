import { type Agent, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike, type ToolRule } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/**
 * Events of 1.0.102 (ran, 2026-11-30; errorOccurred docs). Which of two spellings a config uses decides the
 * payload's: `preToolUse` brings camelCase fields and no event name, `PreToolUse` Claude Code's fields.
 */
const events: Readonly<Record<string, EventName>> = {
  sessionStart: "session-start",
  SessionStart: "session-start",
  userPromptSubmitted: "prompt",
  UserPromptSubmit: "prompt",
  preToolUse: "pre-tool",
  PreToolUse: "pre-tool",
  postToolUse: "post-tool",
  PostToolUse: "post-tool",
  postToolUseFailure: "tool-failed",
  PostToolUseFailure: "tool-failed",
  permissionRequest: "permission",
  PermissionRequest: "permission",
  notification: "notification",
  Notification: "notification",
  preCompact: "pre-compact",
  PreCompact: "pre-compact",
  subagentStart: "subagent-start",
  SubagentStart: "subagent-start",
  subagentStop: "subagent-stop",
  SubagentStop: "subagent-stop",
  agentStop: "turn-end",
  Stop: "turn-end",
  sessionEnd: "session-end",
  SessionEnd: "session-end",
  errorOccurred: "error",
  ErrorOccurred: "error",
};

const shell: ToolRule = { kind: "shell", command: ["command"] };
const typed: ToolRule = { kind: "shell", command: ["input"] };
const write: ToolRule = { kind: "write", path: ["path", "file_path"] };
const edit: ToolRule = { kind: "edit", path: ["path", "file_path"] };
const read: ToolRule = { kind: "read", path: ["path", "file_path"] };

/**
 * Tool names and arguments (source: 1.0.102; those of bash, create, edit, view and apply_patch ran).
 * `apply_patch` comes as the bare patch text, as `Edit` in the other spelling. `write_bash` types into a
 * shell that is already running. MCP tools are `<server>-<tool>`.
 */
const like: ClaudeLike = {
  agent: "copilot",
  events,
  tools: {
    bash: shell,
    Bash: shell,
    powershell: shell,
    PowerShell: shell,
    local_shell: shell,
    write_bash: typed,
    write_powershell: typed,
    create: write,
    Write: write,
    edit,
    Edit: edit,
    str_replace: edit,
    insert: edit,
    str_replace_editor: edit,
    apply_patch: { kind: "patch", patch: ["patch", "input"] },
    view: read,
    Read: read,
    web_fetch: { kind: "web" },
    task: { kind: "agent" },
    Task: { kind: "agent" },
  },
  mcp: /^[^_].*-/,
  projectEnv: ["COPILOT_PROJECT_DIR"],
  subagent: ["agentId", "agent_id"],
};

/** Copilot CLI, by its hook protocol of 1.0.102 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "copilot",
  title: "Copilot CLI",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply,
};

/** Flat fields are the only form that works at every event, in both spellings (ran: 1.0.102). */
function reply(verdict: Verdict, event: Event): Reply {
  const fields: Record<string, unknown> = {};
  if (event.name !== "pre-tool" && (verdict.decision === "deny" || verdict.decision === "continue")) {
    fields.decision = "block";
    fields.reason = verdict.reason;
  }
  if (event.name === "pre-tool" && (verdict.decision === "deny" || verdict.decision === "ask")) {
    fields.permissionDecision = verdict.decision;
    fields.permissionDecisionReason = verdict.reason;
  }
  if (verdict.rewrite !== null) fields.modifiedArgs = verdict.rewrite;
  if (verdict.context.length > 0) fields.additionalContext = verdict.context.join("\n\n");
  return Object.keys(fields).length === 0 ? silent : json(fields);
}
