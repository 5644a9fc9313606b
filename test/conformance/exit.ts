import type { Reply } from "../../src/core/agent.ts";

/**
 * What an agent sees that hears refusals as exit code 2 with the reason on stderr, once our own command has kept
 * the line for itself and made the code. The program itself always ends with 0: its launcher lets no other code
 * through. JSON is a fault here, as is anything on stderr that is no reason.
 */
export function byExit(reply: Reply): { readonly refused: string | null; readonly stdout: string } {
  if (reply.exitCode !== 0) throw new Error(`exit ${reply.exitCode}`);
  if (reply.stdout === "holdfast: refused\n") {
    if (!reply.stderr.endsWith("\n")) throw new Error("a reason without its end of line");
    return { refused: reply.stderr.slice(0, -1), stdout: "" };
  }
  if (reply.stderr !== "") throw new Error(`stderr: ${reply.stderr}`);
  return { refused: null, stdout: reply.stdout.replace(/\n$/, "") };
}
