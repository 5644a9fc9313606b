import { type Can, cell } from "../../core/can.ts";

const seen = "0.96, 2026-11-30";
const none = "Crush has one event, before a tool.";

/** What Crush carries out, read in its public source. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "source", seen, "Not the calls of a sub-agent, for which no hook runs."),
  "pre-tool.ask": cell("deny", "source", seen, "Hooks cannot ask, so it is refused with instructions."),
  "pre-tool.rewrite": cell("yes", "source", seen),
  "pre-tool.context": cell("yes", "source", seen, "The model reads it together with the result."),
  "pre-tool.message": cell("no", "source", seen),
  "prompt.deny": cell("no", "source", seen, none),
  "prompt.context": cell("no", "source", seen, none),
  "session-start.context": cell("no", "source", seen, none),
  "post-tool.context": cell("no", "source", seen, none),
  "turn-end.continue": cell("no", "source", seen, none),
  "turn-end.message": cell("no", "source", seen, none),
  "pre-commit.deny": cell("no", "source", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "source", seen),
};
