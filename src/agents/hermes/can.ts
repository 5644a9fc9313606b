import { type Can, cell } from "../../core/can.ts";

const seen = "main, 2026-11-30";

/** What Hermes Agent carries out, read in its public source. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "source", seen, "Also MCP tools, chat gateways and scheduled runs."),
  "pre-tool.ask": cell(
    "deny",
    "docs",
    seen,
    "Only the newest versions can ask and older ones run the tool, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "source", seen),
  "pre-tool.context": cell("no", "source", seen),
  "pre-tool.message": cell("no", "source", seen, "Only its log."),
  "prompt.deny": cell("no", "source", seen),
  "prompt.context": cell("yes", "source", seen),
  "session-start.context": cell("no", "source", seen),
  "post-tool.context": cell("no", "source", seen),
  "turn-end.continue": cell(
    "yes",
    "source",
    seen,
    "At most 3 times, and only in turns that changed a file by a file tool; versions before July 2026 not at all.",
  ),
  "turn-end.message": cell("no", "source", seen),
  "pre-commit.deny": cell("no", "source", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "source", seen),
};
