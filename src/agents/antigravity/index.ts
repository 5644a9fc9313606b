import { type Agent, type Call, json, type Reply } from "../../core/agent.ts";
import type { Event, EventName } from "../../core/event.ts";
import { type Dict, dict, isDict, text, texts } from "../../core/read.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type ClaudeLike, parseClaudeLike } from "../_family/claude-like.ts";
import { can } from "./can.ts";

/**
 * Events of agy 1.1.8 (docs, 2026-11-30). A payload does not name its event, the command line does.
 * `PreInvocation` comes before every request to the model and carries no prompt.
 */
const events: Readonly<Record<string, EventName>> = {
  PreInvocation: "prompt",
  PreToolUse: "pre-tool",
  PostToolUse: "post-tool",
  Stop: "turn-end",
};

const path = ["TargetFile", "AbsolutePath", "File", "Path"] as const;

/** Tools (docs; the arguments of all but run_command and write_to_file are a guess). */
const like: ClaudeLike = {
  agent: "antigravity",
  events,
  tools: {
    run_command: { kind: "shell", command: ["CommandLine"], workdir: ["Cwd"] },
    write_to_file: { kind: "write", path },
    replace_file_content: { kind: "edit", path },
    multi_replace_file_content: { kind: "edit", path },
    edit_file: { kind: "edit", path },
    view_file: { kind: "read", path },
    read_file: { kind: "read", path },
    read_url_content: { kind: "web" },
    search_web: { kind: "web" },
  },
};

/** Google Antigravity, by live checks of agy 1.1.2 and 1.1.8 that other projects published (docs, 2026-11-30). */
export const agent: Agent = {
  id: "antigravity",
  title: "Antigravity",
  events,
  can,
  payload: "stdin",
  parse,
  reply,
};

function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const tool = isDict(payload.toolCall)
    ? { tool_name: payload.toolCall.name, tool_input: payload.toolCall.args }
    : {};
  const claudeLike = {
    ...payload,
    ...tool,
    session_id: text(payload.conversationId) ?? payload.session_id,
    cwd: texts(payload.workspacePaths)[0] ?? payload.cwd,
  };
  return parseClaudeLike(claudeLike, call, like);
}

/** Silence counts as a failure and makes Antigravity ask the person, so every event gets an answer (docs). */
function reply(verdict: Verdict, event: Event): Reply {
  return json(answer(verdict, event));
}

function answer({ decision, reason, context }: Verdict, event: Event): Dict {
  switch (event.name) {
    case "pre-tool":
      if (decision === "deny") return { decision: "deny", reason };
      // A plain ask may be answered by the person's own rules.
      return decision === "ask" ? { decision: "force_ask", reason } : { decision: "allow" };
    case "prompt":
      return context.length === 0 ? {} : { injectSteps: [{ ephemeralMessage: context.join("\n\n") }] };
    case "turn-end":
      return decision === "continue" ? { decision: "continue", reason } : {};
    default:
      return {};
  }
}
