import type { Borrows } from "../../core/agent.ts";

/** The hooks in Claude Code's three settings files (source: @cursor/sdk 1.0.32). */
export const borrows: Borrows = { from: ["claude-code"], env: [], fields: ["cursor_version"] };
