import { type Agent, type Call, json, type Reply, silent } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { dict, text } from "../../core/read.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/** The one event of 0.96 (source, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = { PreToolUse: "pre-tool" };

/** Tools (source). MCP tools are `mcp_<server>_<tool>`. */
const like: ClaudeLike = {
  agent: "crush",
  events,
  tools: {
    bash: { kind: "shell", command: ["command"], workdir: ["working_dir"] },
    write: { kind: "write", path: ["file_path"] },
    edit: { kind: "edit", path: ["file_path"] },
    multiedit: { kind: "edit", path: ["file_path"] },
    download: { kind: "write", path: ["file_path"] },
    view: { kind: "read", path: ["file_path"] },
    fetch: { kind: "web" },
    agent: { kind: "agent" },
    agentic_fetch: { kind: "agent" },
  },
  mcp: /^mcp_/,
  projectEnv: ["CRUSH_PROJECT_DIR"],
};

/** Crush, by its public source and documentation (source: main of August 2026, 0.96; 2026-11-30). */
export const agent: Agent = {
  id: "crush",
  title: "Crush",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const native = text(payload.event) ?? payload.hook_event_name;
  return parseClaudeLike({ ...payload, hook_event_name: native }, call, like);
}

/** `allow` would also skip the person's own permission prompt, so nothing is said instead. */
function reply(verdict: Verdict, _event: Event): Reply {
  const fields: Record<string, unknown> = {};
  if (verdict.decision === "deny") {
    fields.decision = "deny";
    fields.reason = verdict.reason;
  }
  if (verdict.context.length > 0) fields.context = verdict.context.join("\n\n");
  if (verdict.rewrite !== null) fields.updated_input = verdict.rewrite;
  return Object.keys(fields).length === 0 ? silent : json({ version: 1, ...fields });
}
