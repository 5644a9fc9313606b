import { type Can, cell } from "../../core/can.ts";

const seen = "0.1.52, 2026-11-30";

/** What Deep Agents Code carries out, read in its public source. Hooks before 0.1.52 only watch. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "source", seen, "Versions before 0.1.52 cannot refuse."),
  "pre-tool.ask": cell("yes", "source", seen),
  "pre-tool.rewrite": cell("no", "guess", seen, "It is read; whether it is applied was not checked."),
  "pre-tool.context": cell("yes", "source", seen),
  "pre-tool.message": cell("yes", "source", seen),
  "prompt.deny": cell("yes", "source", seen),
  "prompt.context": cell("yes", "source", seen),
  "session-start.context": cell("yes", "source", seen),
  "post-tool.context": cell("yes", "source", seen),
  "turn-end.continue": cell("yes", "source", seen),
  "turn-end.message": cell("yes", "source", seen),
  "pre-commit.deny": cell("no", "source", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "source", seen),
};
