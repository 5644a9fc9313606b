import type { Seen } from "./perform.ts";
import type { ProofResult } from "./report.ts";
import type { Told } from "./server/wire.ts";

/** Which proof it is. */
export type Base = Pick<ProofResult, "id" | "words">;

/** A proof that the agent never came to; quotes the last the agent said. */
export function notRun(base: Base, { ran, requests }: Seen): ProofResult {
  const said = (ran.cause || ran.stderr.trim() || ran.stdout.trim()).split("\n").slice(-3).join(" / ");
  const how = ran.timedOut ? "was stopped for taking too long" : `ended with ${ran.exitCode ?? "a signal"}`;
  const why = `the agent ${how} after ${requests} requests: ${said.slice(-300)}`;
  return { ...base, status: "not-run", fired: null, disk: "", told: "", why };
}

/** A proof with what was seen; it failed when one of the failures is in words. */
export function result(
  base: Base,
  seen: Pick<ProofResult, "fired" | "disk" | "told"> & { failures: readonly (string | false)[] },
): ProofResult {
  const { failures, ...rest } = seen;
  const found = failures.filter((failure) => failure !== false);
  return { ...base, ...rest, status: found.length === 0 ? "held" : "failed", why: found.join("; ") };
}

/** What tools told the model. */
export function toolText(told: readonly Told[]): string {
  return told
    .filter(({ kind }) => kind === "tool")
    .map(({ text }) => text)
    .join("\n");
}
