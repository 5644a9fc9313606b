import { type Can, cell } from "../../../core/can.ts";

const seen = "0.0.0, 2000-01-01";

/** What Newcomer carries out. Nothing of it is known yet: replace each guess by what you read or saw. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "guess", seen),
  "pre-tool.ask": cell("deny", "guess", seen, "Refused with instructions."),
  "pre-tool.rewrite": cell("no", "guess", seen),
  "pre-tool.context": cell("no", "guess", seen),
  "pre-tool.message": cell("no", "guess", seen),
  "prompt.deny": cell("yes", "guess", seen),
  "prompt.context": cell("no", "guess", seen),
  "session-start.context": cell("no", "guess", seen),
  "post-tool.context": cell("no", "guess", seen),
  "turn-end.continue": cell("yes", "guess", seen),
  "turn-end.message": cell("no", "guess", seen),
  "pre-commit.deny": cell("no", "guess", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "guess", seen),
};
