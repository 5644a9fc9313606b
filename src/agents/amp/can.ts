import { type Can, cell } from "../../core/can.ts";

const seen = "0.0.1790142911, 2026-11-30";
const notCarried = "Amp can; our plugin does not carry it.";

/** What Amp carries out through the plugin in `bridge.js`, by the plugin manual that its program prints. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "docs", seen),
  "pre-tool.ask": cell(
    "yes",
    "docs",
    seen,
    "Where no person can answer (`amp -x`) it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "docs", seen),
  "pre-tool.context": cell("no", "docs", seen),
  "pre-tool.message": cell("yes", "docs", seen),
  "prompt.deny": cell("no", "docs", seen),
  "prompt.context": cell("no", "docs", seen, notCarried),
  "session-start.context": cell("no", "docs", seen),
  "post-tool.context": cell("no", "docs", seen, notCarried),
  "turn-end.continue": cell("yes", "docs", seen),
  "turn-end.message": cell("yes", "docs", seen),
  "pre-commit.deny": cell("no", "docs", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "docs", seen),
};
