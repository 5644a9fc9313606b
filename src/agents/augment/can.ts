import { type Can, cell } from "../../core/can.ts";

const seen = "0.36.0, 2026-11-30";

/**
 * What Auggie carries out, seen running offline. Its service decides per account whether hooks run at all (the
 * feature `enable_hooks`); without it they are skipped in silence.
 */
export const can: Can = {
  "pre-tool.deny": cell(
    "yes",
    "ran",
    seen,
    "Only where Augment's service has hooks switched on for the account.",
  ),
  "pre-tool.ask": cell(
    "deny",
    "ran",
    seen,
    "Auggie runs the tool after an ask, so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen),
  "pre-tool.context": cell("no", "ran", seen),
  "pre-tool.message": cell("yes", "ran", seen),
  "prompt.deny": cell("no", "ran", seen),
  "prompt.context": cell("no", "ran", seen),
  "session-start.context": cell("no", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell("no", "ran", seen, "Auggie ignores the answer, so you are told instead."),
  "turn-end.message": cell("yes", "ran", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
