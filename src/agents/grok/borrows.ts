import type { Borrows } from "../../core/agent.ts";

/** The hooks in Claude Code's and Cursor's files (ran: 1.0.41, 2026-11-30; Cursor's: docs). */
export const borrows: Borrows = { from: ["claude-code", "cursor"], env: ["GROK_HOOK_EVENT"], fields: [] };
