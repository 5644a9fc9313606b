import { type Can, cell } from "../../core/can.ts";

const seen = "docs.windsurf.com, 2026-11-30";

/** What Windsurf's Cascade carries out, by its vendor's documentation. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "docs", seen),
  "pre-tool.ask": cell(
    "deny",
    "docs",
    seen,
    "No way to ask is documented, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("no", "docs", seen),
  "pre-tool.context": cell("no", "docs", seen),
  "pre-tool.message": cell("no", "docs", seen),
  "prompt.deny": cell("yes", "docs", seen),
  "prompt.context": cell("no", "docs", seen),
  "session-start.context": cell("no", "docs", seen, "It has no such event."),
  "post-tool.context": cell("no", "docs", seen),
  "turn-end.continue": cell("no", "docs", seen, "Hooks only watch the end of a response."),
  "turn-end.message": cell("yes", "docs", seen),
  "pre-commit.deny": cell("no", "docs", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "docs", seen),
};
