import { type Can, cell } from "../../core/can.ts";

const seen = "3000.2.17, 2026-11-30";
const unknown = "Not established.";

/** What the Devin CLI carries out, by live probes that another project published for 3000.1.27 and 3000.2.17. */
export const can: Can = {
  "pre-tool.deny": cell("yes", "docs", seen, "Also in `--permission-mode dangerous`."),
  "pre-tool.ask": cell("deny", "docs", seen, "No way to ask was found, so it is refused with instructions."),
  "pre-tool.rewrite": cell("no", "guess", seen, unknown),
  "pre-tool.context": cell("no", "guess", seen, unknown),
  "pre-tool.message": cell("no", "guess", seen, unknown),
  "prompt.deny": cell("yes", "docs", seen),
  "prompt.context": cell("yes", "docs", seen),
  "session-start.context": cell("yes", "docs", seen),
  "post-tool.context": cell("no", "guess", seen, unknown),
  "turn-end.continue": cell("yes", "docs", seen, "Our words come as a message of the person."),
  "turn-end.message": cell("no", "guess", seen, unknown),
  "pre-commit.deny": cell("no", "docs", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "docs", seen),
};
