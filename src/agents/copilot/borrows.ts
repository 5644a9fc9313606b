import type { Borrows } from "../../core/agent.ts";

/** The hooks in a project's `.claude/settings.json`; shells it starts lack the variable (ran: 1.0.102, 2026-11-30). */
export const borrows: Borrows = { from: ["claude-code"], env: ["COPILOT_PROJECT_DIR"], fields: [] };
