import { dict, list, text } from "../../core/read.ts";
import type { Transcripts } from "../../core/setup.ts";
import { isStopped } from "../_family/stopped.ts";

/** Claude Code keeps one file per session, a folder per project (ran: 2.1.332, 2026-11-30). */
export const transcripts: Transcripts = {
  folders: ({ home, env }) => [`${env.CLAUDE_CONFIG_DIR || `${home}/.claude`}/projects`],
  calls(lines) {
    const stopped = new Set(lines.flatMap(stoppedCalls));
    return lines.flatMap((line) => {
      const { type, message, cwd, sessionId, timestamp } = dict(line);
      if (type !== "assistant") return [];
      const uses = list(dict(message).content)
        .map(dict)
        .filter((part) => part.type === "tool_use");
      return uses
        .filter(({ id }) => !stopped.has(text(id) ?? ""))
        .map(({ id, name, input }) => ({
          hook_event_name: "PreToolUse",
          session_id: sessionId,
          cwd,
          timestamp,
          tool_name: name,
          tool_input: input,
          tool_use_id: id,
        }));
    });
  },
};

/** Calls that a hook stopped then, by what the model was told. */
function stoppedCalls(line: unknown): string[] {
  const { type, message } = dict(line);
  if (type !== "user") return [];
  const results = list(dict(message).content).map(dict);
  const refused = results.filter((part) => part.is_error === true && isStopped(part.content));
  return refused.flatMap((part) => text(part.tool_use_id) ?? []);
}
