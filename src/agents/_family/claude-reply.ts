import { json, type Reply, silent } from "../../core/agent.ts";
import type { Event } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";

/**
 * Claude Code's own answer form: one JSON object, exit 0. The exit code 2 form would show the model the
 * hook's command line (ran: 2.1.332, 2026-11-30). A silent allow prints nothing.
 */
export function replyClaudeLike(verdict: Verdict, event: Event): Reply {
  return answer(verdict, event, {});
}

/**
 * The same with a refused tool call said twice, by the older top-level `decision` as well: for agents that
 * read both, where one of the two may get lost beside another hook's answer.
 */
export function replyClaudeLikeTwice(verdict: Verdict, event: Event): Reply {
  const refused = event.name === "pre-tool" && verdict.decision === "deny";
  return answer(verdict, event, refused ? { decision: "deny", reason: verdict.reason } : {});
}

function answer(verdict: Verdict, event: Event, more: Readonly<Record<string, unknown>>): Reply {
  const fields: Record<string, unknown> = { ...more };
  const specific = specificOutput(verdict, event);
  if (event.name !== "pre-tool" && (verdict.decision === "deny" || verdict.decision === "continue")) {
    fields.decision = "block";
    fields.reason = verdict.reason;
  }
  if (Object.keys(specific).length > 0) {
    fields.hookSpecificOutput = { hookEventName: event.native, ...specific };
  }
  if (verdict.messages.length > 0) fields.systemMessage = verdict.messages.join("\n");
  return Object.keys(fields).length === 0 ? silent : json(fields);
}

function specificOutput(verdict: Verdict, event: Event): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  if (event.name === "pre-tool" && (verdict.decision === "deny" || verdict.decision === "ask")) {
    out.permissionDecision = verdict.decision;
    out.permissionDecisionReason = verdict.reason;
  }
  if (event.name === "pre-tool" && verdict.rewrite !== null) out.updatedInput = verdict.rewrite;
  if (verdict.context.length > 0) out.additionalContext = verdict.context.join("\n\n");
  return out;
}
