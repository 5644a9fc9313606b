import { type Can, cell } from "../../core/can.ts";

const seen = "0.24.4, 2026-11-30";

/** What Qwen Code carries out. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen, "Another hook that says allow may undo it."),
  "pre-tool.ask": cell(
    "yes",
    "ran",
    seen,
    "A dialog in YOLO mode; in the other modes, and without a terminal, a refusal with our reason.",
  ),
  "pre-tool.rewrite": cell("no", "ran", seen),
  "pre-tool.context": cell("no", "ran", seen),
  "pre-tool.message": cell("yes", "ran", seen),
  "prompt.deny": cell("yes", "ran", seen),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("yes", "ran", seen, "Not in 0.15.10."),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell("yes", "ran", seen, "Qwen Code itself stops after 8 send-backs in a row."),
  "turn-end.message": cell("yes", "ran", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
