import { type Can, cell } from "../../core/can.ts";

const seen = "0.225.2, 2026-11-30";

/** What Factory Droid carries out. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "ran", seen, "Versions around 0.171 do not read it."),
  "pre-tool.ask": cell(
    "deny",
    "ran",
    seen,
    "Droid runs the tool after an ask, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("no", "ran", seen),
  "pre-tool.message": cell("no", "ran", seen),
  "prompt.deny": cell("yes", "source", seen, "`droid exec` never calls a prompt hook."),
  "prompt.context": cell("yes", "source", seen, "`droid exec` never calls a prompt hook."),
  "session-start.context": cell("yes", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell(
    "yes",
    "ran",
    seen,
    "Droid has no limit of its own; ours is `tests.max_retries`.",
  ),
  "turn-end.message": cell("yes", "source", seen, "Shown in the terminal interface, not by `droid exec`."),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
