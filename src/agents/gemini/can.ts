import { type Can, cell } from "../../core/can.ts";

const seen = "0.61.0, 2026-11-30";

/** What Gemini CLI carries out. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen),
  "pre-tool.ask": cell(
    "deny",
    "ran",
    seen,
    "Without a terminal an ask ends the run in silence, and nothing tells a hook whether there is one, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("no", "ran", seen),
  "pre-tool.message": cell("yes", "ran", seen),
  "prompt.deny": cell("yes", "ran", seen),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("yes", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell(
    "yes",
    "ran",
    seen,
    "Gemini CLI has no useful limit of its own; ours is `tests.max_retries`.",
  ),
  "turn-end.message": cell("yes", "ran", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
