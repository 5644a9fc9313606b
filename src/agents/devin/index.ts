import { type Agent, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/** Events of 3000.2.17 (docs, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  PermissionRequest: "permission",
  PostCompaction: "post-compact",
  Stop: "turn-end",
  SessionEnd: "session-end",
};

/** Only the shell tool's name is known (docs); others are judged by their names and arguments. */
const like: ClaudeLike = {
  agent: "devin",
  events,
  tools: { exec: { kind: "shell", command: ["command"] } },
};

/** Devin CLI, by published live probes of 3000.1.27 and 3000.2.17 (docs, 2026-11-30). */
export const agent: Agent = {
  id: "devin",
  title: "Devin CLI",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply,
};

/** Blocks are told at the top level, also before a tool; whether exit code 2 counts was not checked. */
function reply(verdict: Verdict, event: Event): Reply {
  const fields: Record<string, unknown> = {};
  if (verdict.decision === "deny" || verdict.decision === "continue") {
    fields.decision = "block";
    fields.reason = verdict.reason;
  }
  if (verdict.context.length > 0) {
    const additionalContext = verdict.context.join("\n\n");
    fields.hookSpecificOutput = { hookEventName: event.native, additionalContext };
  }
  return Object.keys(fields).length === 0 ? silent : json(fields);
}
