import { type Can, cell } from "../../core/can.ts";

const seen = "1.52.0, 2026-11-30";

/** What Goose carries out. */
export const can: Can = {
  "pre-tool.deny": cell(
    "yes",
    "ran",
    seen,
    "Also MCP tools. The calls of a sub-agent (`delegate`) fire no hook; the commit guard still sees what they left.",
  ),
  "pre-tool.ask": cell("deny", "ran", seen, "Hooks cannot ask, so it is refused with instructions."),
  "pre-tool.rewrite": cell("no", "source", seen),
  "pre-tool.context": cell("no", "source", seen),
  "pre-tool.message": cell("no", "source", seen),
  "prompt.deny": cell("no", "source", seen),
  "prompt.context": cell("no", "ran", seen),
  "session-start.context": cell("no", "ran", seen),
  "post-tool.context": cell("no", "ran", seen),
  "turn-end.continue": cell(
    "yes",
    "ran",
    seen,
    "Goose itself stops after 8 send-backs; 1.43 had no such event.",
  ),
  "turn-end.message": cell("no", "source", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
