import { type Reply, silent } from "../../core/agent.ts";
import type { Verdict } from "../../core/verdict.ts";
import { refusedLine } from "./command.ts";

/**
 * For agents that hear a refusal as exit code 2 with the reason on stderr. The line on stdout is for our own
 * command (see `exitHookCommand`), which keeps it to itself and makes the code. What is not refused prints
 * `otherwise`.
 */
export function replyByExit(verdict: Verdict, otherwise: string): Reply {
  if (verdict.decision === "deny" || verdict.decision === "continue") {
    return { stdout: `${refusedLine}\n`, stderr: `${verdict.reason}\n`, exitCode: 0 };
  }
  return otherwise === "" ? silent : { ...silent, stdout: `${otherwise}\n` };
}
