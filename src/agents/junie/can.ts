import { type Can, cell } from "../../core/can.ts";

const seen = "junie.jetbrains.com, 2026-11-30";
const unproved = "The events are documented; what their answers do is taken from the Claude-like form.";

/** What the Junie CLI carries out. Experimental: only its events are documented. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "guess", seen, unproved),
  "pre-tool.ask": cell("deny", "guess", seen, "Not established, so it is refused with instructions."),
  "pre-tool.rewrite": cell("no", "guess", seen),
  "pre-tool.context": cell("no", "guess", seen),
  "pre-tool.message": cell("no", "guess", seen),
  "prompt.deny": cell("no", "guess", seen),
  "prompt.context": cell("no", "guess", seen),
  "session-start.context": cell("no", "guess", seen),
  "post-tool.context": cell("no", "docs", seen, "It has no such event."),
  "turn-end.continue": cell("yes", "guess", seen, unproved),
  "turn-end.message": cell("no", "guess", seen),
  "pre-commit.deny": cell("no", "docs", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "docs", seen),
};
