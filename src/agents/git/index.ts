import type { Agent, Reply } from "../../core/agent.ts";
import type { Event } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";
import { can } from "./can.ts";

/** Git's pre-commit hook. Git gives it no payload; what is to be committed is asked of git itself. */
export const agent: Agent = {
  id: "git",
  title: "git pre-commit",
  events: { "pre-commit": "pre-commit" },
  can,
  payload: "none",
  parse: (_raw, call) =>
    call.event === "pre-commit"
      ? {
          agent: "git",
          name: "pre-commit",
          native: "pre-commit",
          session: null,
          cwd: call.cwd,
          projectHint: null,
          subagent: false,
        }
      : null,
  reply,
};

/**
 * Exit 1 refuses the commit. The reasons go to stderr, which git shows to whoever commits; the line on stdout
 * tells our hook script a refusal from a Node that could not start (also exit 1).
 */
function reply(verdict: Verdict, _event: Event): Reply {
  const refused = verdict.decision === "deny";
  const lines = [...(refused ? [verdict.reason] : []), ...verdict.messages];
  const stderr = lines.map((line) => `holdfast: ${line.replace(/^Holdfast: /, "")}\n`).join("");
  return { stdout: refused ? "holdfast: commit refused\n" : "", stderr, exitCode: refused ? 1 : 0 };
}
