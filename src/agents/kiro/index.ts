import type { Agent } from "../../core/agent.ts";
import type { EventName } from "../../core/event.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { replyByExit } from "../_family/exit-reply.ts";
import { can } from "./can.ts";

/** Triggers of hook files (IDE 1, CLI 3), then the names in agent files of CLI 2 (docs, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  SessionStart: "session-start",
  UserPromptSubmit: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  Stop: "turn-end",
  agentSpawn: "session-start",
  userPromptSubmit: "prompt",
  preToolUse: "pre-tool",
  postToolUse: "post-tool",
  stop: "turn-end",
};

const path = ["path", "targetFile", "file_path"] as const;

/** Tools by captures of IDE 1.1.14 to 1.2.37 and CLI 2.6.1 (docs); the last three have no captured payload (guess). */
const like: ClaudeLike = {
  agent: "kiro",
  events,
  tools: {
    execute_bash: { kind: "shell", command: ["command"] },
    execute_pwsh: { kind: "shell", command: ["command"] },
    shell: { kind: "shell", command: ["command"] },
    fs_write: { kind: "write", path },
    write: { kind: "write", path },
    fs_append: { kind: "edit", path },
    str_replace: { kind: "edit", path },
    delete_file: { kind: "delete", path },
    fs_read: { kind: "read", path },
    read: { kind: "read", path },
    invoke_sub_agent: { kind: "agent" },
    orchestrate_subagent: { kind: "agent" },
    create_file: { kind: "write", path },
    edit_file: { kind: "edit", path },
    apply_patch: { kind: "patch", patch: ["patch", "input"] },
  },
  mcp: /^@/,
};

/** Kiro's IDE and CLI, by published live captures (docs, 2026-11-30). JSON answers are ignored there. */
export const agent: Agent = {
  id: "kiro",
  title: "Kiro",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseClaudeLike(raw, call, like),
  reply: (verdict, event) => {
    const heard = event.name === "prompt" || event.name === "session-start";
    return replyByExit(verdict, heard ? verdict.context.join("\n\n") : "");
  },
};
