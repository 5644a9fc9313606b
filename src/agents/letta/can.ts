import { type Can, cell } from "../../core/can.ts";

const seen = "0.30.29, 2026-11-30";

/** What Letta Code carries out, read in its public source. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "source", seen),
  "pre-tool.ask": cell("deny", "source", seen, "Hooks cannot ask, so it is refused with instructions."),
  "pre-tool.rewrite": cell("yes", "source", seen),
  "pre-tool.context": cell("no", "source", seen),
  "pre-tool.message": cell("no", "source", seen),
  "prompt.deny": cell("yes", "source", seen),
  "prompt.context": cell("yes", "source", seen),
  "session-start.context": cell("yes", "source", seen),
  "post-tool.context": cell("yes", "source", seen),
  "turn-end.continue": cell("yes", "source", seen),
  "turn-end.message": cell("no", "source", seen),
  "pre-commit.deny": cell("no", "source", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "source", seen),
};
