import { type Can, cell } from "../../core/can.ts";

const seen = "2.1.0, 2026-11-30";

/** What Kimi Code carries out. */
export const can: Can = {
  "pre-tool.deny": cell(
    "yes",
    "ran",
    seen,
    "Also MCP tools and sub-agents. Writes to `.env` and keys are refused by Kimi itself before any hook.",
  ),
  "pre-tool.ask": cell("deny", "ran", seen, "Kimi ignores an ask, so it is refused with instructions."),
  "pre-tool.rewrite": cell("no", "source", seen),
  "pre-tool.context": cell("no", "source", seen),
  "pre-tool.message": cell("no", "source", seen),
  "prompt.deny": cell("yes", "source", seen),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("no", "ran", seen, "Carried with the first prompt instead."),
  "post-tool.context": cell("no", "ran", seen),
  "turn-end.continue": cell(
    "yes",
    "ran",
    seen,
    "Once per turn. A sub-agent's end looks the same to a hook as the main one's, so it may be sent back too.",
  ),
  "turn-end.message": cell("no", "source", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
