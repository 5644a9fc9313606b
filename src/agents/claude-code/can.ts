import { type Can, cell } from "../../core/can.ts";

const seen = "2.1.332, 2026-11-30";

/** What Claude Code carries out. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen),
  "pre-tool.ask": cell("yes", "ran", seen, "Headless (`-p`) an ask becomes a refusal with our reason."),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("yes", "ran", seen),
  "pre-tool.message": cell("yes", "ran", seen),
  "prompt.deny": cell("yes", "ran", seen),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("yes", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell("yes", "ran", seen, "Claude Code itself stops after 8 send-backs in a row."),
  "turn-end.message": cell("yes", "ran", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
