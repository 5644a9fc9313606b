import { type Can, cell } from "../../core/can.ts";

const seen = "1.6.0, 2026-11-30";

/** What pi carries out, through the extension in `bridge.js`. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen, "Also MCP tools and every call inside a `codemode` script."),
  "pre-tool.ask": cell(
    "yes",
    "ran",
    seen,
    "A dialog in the terminal interface and for RPC clients; in `pi -p` it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("no", "ran", seen, "pi could; the bridge does not use it."),
  "pre-tool.message": cell("yes", "ran", seen, "A notice in the terminal interface, stderr in `pi -p`."),
  "prompt.deny": cell("no", "docs", seen, "A prompt can be swallowed, but no reason is shown."),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("no", "ran", seen, "Carried with the first prompt instead."),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell(
    "yes",
    "ran",
    seen,
    "Before 0.87 by a message after the last step (ran: 0.73.1), which holds up `pi -p` while tests run.",
  ),
  "turn-end.message": cell("yes", "ran", seen, "A notice in the terminal interface, stderr in `pi -p`."),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
