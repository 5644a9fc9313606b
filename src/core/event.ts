import type { Tool } from "./tool.ts";

/** The canonical events, in the order of a session. Agents map their own names onto these. */
export const eventNames = [
  "session-start",
  "prompt",
  "pre-tool",
  "post-tool",
  "tool-failed",
  "permission",
  "notification",
  "pre-compact",
  "post-compact",
  "subagent-start",
  "subagent-stop",
  "turn-end",
  "session-end",
  "error",
  "pre-commit",
] as const;

export type EventName = (typeof eventNames)[number];

interface EventBase {
  /** Public id of the agent that sent it, e.g. `claude-code`. */
  readonly agent: string;
  /** The agent's own event name, e.g. `PreToolUse`. */
  readonly native: string;
  /** The agent's session id; null where it has none. The retry budget is kept per session. */
  readonly session: string | null;
  /** Working directory the agent reported, absolute; null when it reported none. */
  readonly cwd: string | null;
  /** Where the agent says it was started (e.g. CLAUDE_PROJECT_DIR); null where it does not. */
  readonly projectHint: string | null;
  /** True when the event comes from inside a subagent. */
  readonly subagent: boolean;
}

export interface ToolEvent extends EventBase {
  readonly name: "pre-tool" | "post-tool" | "tool-failed" | "permission";
  readonly callId: string | null;
  readonly tool: Tool;
}

export interface TurnEndEvent extends EventBase {
  readonly name: "turn-end";
  /** True when the agent is already running because a hook sent it back. */
  readonly continued: boolean;
  /** Work still running beside the main turn; the test gate waits for it. */
  readonly backgroundTasks: number;
  /**
   * - `final`: the turn is over; decide, and spend a retry when the agent is sent back.
   * - `tentative`: the agent may still go on; decide, but spend nothing.
   * - `settled`: the agent was sent back on a tentative decision; spend one retry, run nothing.
   */
  readonly phase: "final" | "tentative" | "settled";
}

export interface PromptEvent extends EventBase {
  readonly name: "prompt";
  readonly prompt: string;
}

export interface PreCommitEvent extends EventBase {
  readonly name: "pre-commit";
}

/** Events that are only observed today. */
export interface ObservedEvent extends EventBase {
  readonly name: Exclude<EventName, ToolEvent["name"] | "turn-end" | "prompt" | "pre-commit">;
}

export type Event = ToolEvent | TurnEndEvent | PromptEvent | PreCommitEvent | ObservedEvent;
