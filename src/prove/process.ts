import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Written to stdin, which is closed afterwards either way. */
  readonly input?: string;
  /** Called with every whole line on stderr as it comes. */
  onLine?(line: string): void;
}

export interface Ran {
  /** Null when a signal ended it or it could not be started. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The last 256 KiB of each stream. */
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  /** Why it could not be started; empty when it could. */
  readonly cause: string;
}

const keptBytes = 256 * 1024;
const live = new Set<number>();

/**
 * Runs a program in a process group of its own and ends the whole group when the program has ended or
 * its time is up, so that nothing it started outlives it. Never rejects.
 */
export function run(argv: readonly string[], options: RunOptions): Promise<Ran> {
  const [program = "", ...args] = argv;
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const stdout = tail(child.stdout);
    const stderr = tail(child.stderr);
    if (options.onLine) eachLine(child.stderr, options.onLine);
    let timedOut = false;
    let cause = "";
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child);
    }, options.timeoutMs);
    if (child.pid !== undefined) live.add(child.pid);

    const finish = (exitCode: number | null) => {
      clearTimeout(timer);
      if (child.pid !== undefined) live.delete(child.pid);
      resolve({ exitCode, timedOut, stdout: stdout(), stderr: stderr(), ms: Date.now() - started, cause });
    };
    child.on("error", (error) => {
      cause = error.message;
      if (child.pid === undefined) finish(null);
    });
    // A background child may hold the pipes open: only ending the group lets `close` come.
    child.on("exit", () => endGroup(child));
    child.on("close", finish);
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
  });
}

/** Signals every group that is still running; for the moment the person interrupts. */
export function endAll(signal: NodeJS.Signals): void {
  for (const pid of live) signalGroup(pid, signal);
}

function endGroup(child: ChildProcess): void {
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}

function eachLine(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  createInterface({ input: stream }).on("line", onLine);
}

function tail(stream: NodeJS.ReadableStream): () => string {
  let kept = Buffer.alloc(0);
  stream.on("data", (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    if (kept.length > 2 * keptBytes) kept = kept.subarray(-keptBytes);
  });
  return () => kept.subarray(-keptBytes).toString("utf8");
}
