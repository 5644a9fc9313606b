import { type Can, cell } from "../../core/can.ts";

const seen = "sdk 1.0.32, 2026-11-30";

/** What Cursor carries out, read in its vendor's SDK package, which holds the hook code. The editor was not run. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "source", seen, "Shell, file and MCP tools."),
  "pre-tool.ask": cell(
    "yes",
    "source",
    seen,
    "For shell commands. For other tools Cursor ignores an ask, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell(
    "no",
    "source",
    seen,
    "Cursor can for files and MCP tools, not for shell commands.",
  ),
  "pre-tool.context": cell(
    "no",
    "source",
    seen,
    "Cursor can for files and MCP tools, not for shell commands.",
  ),
  "pre-tool.message": cell("no", "source", seen, "Only the text of a refusal is shown."),
  "prompt.deny": cell("yes", "source", seen),
  "prompt.context": cell("yes", "source", seen),
  "session-start.context": cell("yes", "source", seen),
  "post-tool.context": cell("yes", "source", seen),
  "turn-end.continue": cell("yes", "source", seen, "Our words come as the next message of the person."),
  "turn-end.message": cell("no", "source", seen),
  "pre-commit.deny": cell("no", "source", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "source", seen),
};
