import { type Can, cell } from "../../core/can.ts";

const seen = "1.0.41, 2026-11-30";

/** What Grok carries out. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen),
  "pre-tool.ask": cell(
    "deny",
    "ran",
    seen,
    "Headless with --always-approve an ask runs the tool, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("yes", "ran", seen, "The model reads it together with the result."),
  "pre-tool.message": cell("no", "ran", seen),
  "prompt.deny": cell("yes", "ran", seen),
  "prompt.context": cell("no", "ran", seen),
  "session-start.context": cell("no", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell("yes", "ran", seen, "Grok itself stops after 8 send-backs in a row."),
  "turn-end.message": cell("no", "ran", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
