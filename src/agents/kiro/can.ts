import { type Can, cell } from "../../core/can.ts";

const seen = "IDE 1.2.37 and CLI 2.24.1, 2026-11-30";

/** What Kiro carries out, by live captures that another project published for IDE 0.12 to 1.2.37 and CLI 2. */
export const can: Can = {
  "pre-tool.deny": cell(
    "yes",
    "docs",
    seen,
    "IDE before 1.1.70 and CLI before 2.24.1 tell no path or command.",
  ),
  "pre-tool.ask": cell("deny", "docs", seen, "Hooks cannot ask, so it is refused with instructions."),
  "pre-tool.rewrite": cell("no", "docs", seen),
  "pre-tool.context": cell("no", "docs", seen),
  "pre-tool.message": cell("no", "docs", seen),
  "prompt.deny": cell("yes", "docs", seen),
  "prompt.context": cell("yes", "docs", seen),
  "session-start.context": cell("yes", "docs", seen, "Some builds run no hook at the start of a chat."),
  "post-tool.context": cell("no", "docs", seen),
  "turn-end.continue": cell("no", "guess", seen, "No capture shows a hook keeping the turn going."),
  "turn-end.message": cell("no", "guess", seen),
  "pre-commit.deny": cell("no", "docs", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "docs", seen),
};
