import { json, type Reply, silent } from "../../core/agent.ts";
import type { Event } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";

/** The small protocol of our own bridges: the verdict's fields, or nothing for a silent allow. */
export function replyToBridge(verdict: Verdict, _event: Event): Reply {
  const { decision, reason, context, messages, rewrite } = verdict;
  if (decision === "allow" && context.length === 0 && messages.length === 0 && rewrite === null)
    return silent;
  return json({ decision, reason, context, messages, rewrite });
}
