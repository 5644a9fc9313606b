import { byExit } from "../../conformance/exit.ts";
import { nothing, type Obey } from "../../conformance/outcome.ts";

/** Its hook executor (source: 0.30.29, 2026-11-30): exit code 2 blocks, JSON carries context and new inputs. */
export const obey: Obey = (reply, event) => {
  const { refused, stdout } = byExit(reply);
  if (refused !== null) {
    return { ...nothing, effect: event.name === "turn-end" ? "sent-back" : "blocked", told: refused };
  }
  if (stdout === "") return nothing;
  if (event.name === "prompt" || event.name === "session-start") return { ...nothing, context: stdout };
  const { additionalContext = "", updatedInput = null } = JSON.parse(stdout).hookSpecificOutput;
  return { ...nothing, context: additionalContext, rewrite: updatedInput };
};
