import { type Can, cell } from "../../core/can.ts";

const seen = "agy 1.1.8, 2026-11-30";

/** What Antigravity carries out, by live checks that other projects published for 1.1.2 and 1.1.8. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "docs", seen),
  "pre-tool.ask": cell("yes", "docs", seen),
  "pre-tool.rewrite": cell("no", "docs", seen),
  "pre-tool.context": cell("no", "docs", seen),
  "pre-tool.message": cell("no", "docs", seen),
  "prompt.deny": cell("no", "docs", seen),
  "prompt.context": cell("yes", "docs", seen, "Before every request to the model, not only at a prompt."),
  "session-start.context": cell("no", "docs", seen, "It has no such event."),
  "post-tool.context": cell("no", "docs", seen),
  "turn-end.continue": cell("yes", "docs", seen, "Whether it has a limit of its own is not known."),
  "turn-end.message": cell("no", "docs", seen),
  "pre-commit.deny": cell("no", "docs", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "docs", seen),
};
