import type { FilePlan } from "../../core/setup.ts";

/** One hook in Claude Code's layout: a group with an optional matcher and a list of handlers. */
export interface Group {
  readonly file: string;
  /** Object keys from the top, e.g. `["hooks", "PreToolUse"]`. */
  readonly at: readonly string[];
  readonly command: string;
  /** In the agent's own unit. */
  readonly timeout: number;
  readonly matcher?: string;
  /** Fields of the handler that only this agent has. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Appends one group to the event's list. */
export function hookGroup({ file, at, command, timeout, matcher, more }: Group): FilePlan {
  const handler = { ...more, type: "command", command, timeout };
  const value = matcher === undefined ? { hooks: [handler] } : { matcher, hooks: [handler] };
  return { kind: "json-list", file, at, value, ours: [command] };
}
