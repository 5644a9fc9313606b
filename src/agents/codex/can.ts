import { type Can, cell } from "../../core/can.ts";

const seen = "0.171.0, 2026-11-30";

/** What Codex carries out. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen, "Also `apply_patch`, and patches typed into the shell."),
  "pre-tool.ask": cell(
    "deny",
    "ran",
    seen,
    "Codex rejects an ask and runs the tool, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("yes", "ran", seen),
  "pre-tool.message": cell("yes", "ran", seen, "Shown in the terminal interface, not by `codex exec`."),
  "prompt.deny": cell("yes", "ran", seen),
  "prompt.context": cell("yes", "ran", seen),
  "session-start.context": cell("yes", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell(
    "yes",
    "ran",
    seen,
    "Codex has no limit of its own; ours is `tests.max_retries`.",
  ),
  "turn-end.message": cell("yes", "ran", seen, "Shown in the terminal interface, not by `codex exec`."),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
