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

const like: OpencodeLike = { agent: "opencode", events, shells: [], harmless: [] };

/** OpenCode, by its plugin protocol of 1.18.33 (ran, 2026-11-30). Its hooks live in a plugin; `bridge.js` relays. */
export const agent: Agent = {
  id: "opencode",
  title: "OpenCode",
  events,
  can,
  payload: "stdin",
  parse: (raw, call) => parseOpencodeLike(raw, call, like),
  reply: replyToBridge,
};
