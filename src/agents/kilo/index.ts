import type { Agent } from "../../core/agent.ts";
import type { EventName } from "../../core/event.ts";
import { replyToBridge } from "../_family/bridge-reply.ts";
import { type OpencodeLike, parseOpencodeLike } from "../_family/opencode-like.ts";
import { can } from "./can.ts";

/** The plugin hooks and bus events the bridge relays. */
const events: Readonly<Record<string, EventName>> = {
  "tool.execute.before": "pre-tool",
  "session.idle": "turn-end",
  "experimental.text.complete": "turn-end",
};

/** What Kilo adds to OpenCode's tools (source: 7.7.9; ran: `background_process`, 7.7.7, 2026-11-30). */
const like: OpencodeLike = {
  agent: "kilo",
  events,
  shells: ["background_process"],
  harmless: [
    "board_post",
    "board_read",
    "goal",
    "kilo_local_recall",
    "link_pr",
    "schedule_wakeup",
    "cron_create",
  ],
};

/** Kilo Code, a fork of OpenCode, by its plugin protocol of 7.7.7 (ran, 2026-11-30). */
export const agent: Agent = {
  id: "kilo",
  title: "Kilo Code",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseOpencodeLike(raw, call, like),
  reply: replyToBridge,
};
