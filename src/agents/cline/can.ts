import { type Can, cell } from "../../core/can.ts";

const seen = "3.0.65, 2026-11-30";

/** What Cline carries out. The CLI ran; what differs in the editor extensions is in the notes (source: 4.1.13). */
export const can: Can = {
  "pre-tool.deny": cell(
    "yes",
    "ran",
    seen,
    "Also MCP tools and subagents. In the editor extensions a refusal ends the task.",
  ),
  "pre-tool.ask": cell(
    "deny",
    "ran",
    seen,
    "With auto-approve, which is the default, an ask runs without asking; so it is refused with instructions.",
  ),
  "pre-tool.rewrite": cell("yes", "ran", seen, "Not in the editor extensions."),
  "pre-tool.context": cell("yes", "ran", seen),
  "pre-tool.message": cell("no", "ran", seen),
  "prompt.deny": cell("no", "ran", seen),
  "prompt.context": cell("no", "ran", seen),
  "session-start.context": cell("no", "ran", seen),
  "post-tool.context": cell("yes", "ran", seen),
  "turn-end.continue": cell(
    "yes",
    "ran",
    seen,
    "Only with `--yolo`: of any other turn end Cline's hooks hear when it is over.",
  ),
  "turn-end.message": cell("no", "ran", seen),
  "pre-commit.deny": cell("no", "ran", seen, "Commits are the git integration's."),
  "pre-commit.message": cell("no", "ran", seen),
};
