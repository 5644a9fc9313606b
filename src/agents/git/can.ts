import { type Can, cell } from "../../core/can.ts";

const seen = "2.39, 2026-11-30";
const notHere = cell("no", "ran", seen, "Git has only commits.");

/** What a git pre-commit hook carries out. */
export const can: Can = {
  "pre-tool.deny": notHere,
  "pre-tool.ask": notHere,
  "pre-tool.rewrite": notHere,
  "pre-tool.context": notHere,
  "pre-tool.message": notHere,
  "prompt.deny": notHere,
  "prompt.context": notHere,
  "session-start.context": notHere,
  "post-tool.context": notHere,
  "turn-end.continue": notHere,
  "turn-end.message": notHere,
  "pre-commit.deny": cell("yes", "ran", seen, "`git commit --no-verify` skips it, as it skips any hook."),
  "pre-commit.message": cell("yes", "ran", seen),
};
