import { type Can, cell } from "../../core/can.ts";

const seen = "1.18.33, 2026-11-30";

/** What OpenCode carries out, through the plugin in `bridge.js`. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen, "Also MCP tools and subagents."),
  "pre-tool.ask": cell(
    "yes",
    "ran",
    seen,
    "OpenCode's own dialog for shell commands; in `opencode run`, for other tools, and after an `always` it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("no", "ran", seen),
  "pre-tool.message": cell(
    "yes",
    "ran",
    seen,
    "A toast in the terminal interface; the log in `opencode run`.",
  ),
  "prompt.deny": cell("no", "ran", seen, "A refused prompt would only show a server error."),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("no", "ran", seen, "Carried with the first prompt instead."),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell("yes", "ran", seen, "In `opencode run` through two hooks marked experimental."),
  "turn-end.message": cell(
    "yes",
    "ran",
    seen,
    "A toast in the terminal interface; the log in `opencode run`.",
  ),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
