import { type Can, cell } from "../../core/can.ts";

const seen = "1.0.102, 2026-11-30";
const silently = "Copilot CLI has no way to show a hook's message to the person.";

/** What Copilot CLI carries out. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen, "Also `apply_patch`."),
  "pre-tool.ask": cell("yes", "ran", seen, "Headless (`-p`) an ask becomes a refusal."),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("yes", "ran", seen),
  "pre-tool.message": cell("no", "ran", seen, silently),
  "prompt.deny": cell("yes", "ran", seen),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("yes", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell("yes", "ran", seen, "Copilot CLI itself stops after 8 send-backs in a row."),
  "turn-end.message": cell("no", "ran", seen, silently),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
