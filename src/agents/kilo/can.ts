import { type Can, cell } from "../../core/can.ts";

const seen = "7.7.7, 2026-11-30";

/** What Kilo Code carries out, through the plugin in `bridge.js`. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen, "Also MCP tools, `background_process` and subagents."),
  "pre-tool.ask": cell(
    "yes",
    "ran",
    seen,
    "Kilo's own dialog for shell commands; in `kilo run`, for other tools, and after an `always` it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("no", "source", "7.7.9, 2026-11-30"),
  "pre-tool.message": cell(
    "yes",
    "source",
    "7.7.9, 2026-11-30",
    "A toast in the terminal interface; the log in `kilo run`.",
  ),
  "prompt.deny": cell(
    "no",
    "source",
    "7.7.9, 2026-11-30",
    "A refused prompt would only show a server error.",
  ),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell(
    "no",
    "source",
    "7.7.9, 2026-11-30",
    "Carried with the first prompt instead.",
  ),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell("yes", "ran", seen),
  "turn-end.message": cell(
    "yes",
    "source",
    "7.7.9, 2026-11-30",
    "A toast in the terminal interface; the log in `kilo run`.",
  ),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
