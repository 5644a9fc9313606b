import { run } from "../runtime/spawn.ts";

/** Where and how our git questions run. */
export interface Asking {
  /** Working tree root. */
  readonly cwd: string;
  /** From `gitEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
}

export type Answer =
  | { readonly ok: true; readonly out: Buffer }
  | { readonly ok: false; readonly code: number | null; readonly why: string };

/** Longest answer read; a status beyond that (about a million paths) counts as no answer. */
const mostBytes = 128 * 1024 * 1024;
const timeoutMs = 60_000;

/** Asks git one question. stdout is kept byte for byte; a failure tells why in git's own words. */
export async function ask({ cwd, env }: Asking, args: readonly string[]): Promise<Answer> {
  const options = { cwd, env, timeoutMs, keepHead: mostBytes, keepTail: 0, mergeStderr: false };
  const { end, code, output, omitted, stderr, cause } = await run({ argv: ["git", ...args] }, options);
  if (end === "exited" && code === 0 && omitted === 0) return { ok: true, out: output };
  if (end === "could-not-start") return { ok: false, code: null, why: cause };
  if (end === "timeout") return { ok: false, code: null, why: `git ${args[0]} did not answer in a minute` };
  if (omitted > 0) return { ok: false, code, why: `git ${args[0]} gave more than ${mostBytes} bytes` };
  return { ok: false, code, why: stderr.trim().split("\n")[0] ?? "" };
}

/** As `ask`, for an answer of one line; null when there is none. */
export async function askLine(asking: Asking, args: readonly string[]): Promise<string | null> {
  const answer = await ask(asking, args);
  return answer.ok ? answer.out.toString("utf8").replace(/\r?\n$/, "") : null;
}

/** The fields of a `-z` answer, as bytes: a file name need not be UTF-8. */
export function fields(out: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = out.indexOf(0); end !== -1; end = out.indexOf(0, start)) {
    parts.push(out.subarray(start, end));
    start = end + 1;
  }
  return parts;
}
