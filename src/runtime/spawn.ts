import type { ChildProcess } from "node:child_process";
import { causeOf } from "../core/problem.ts";
import { createTape } from "./tape.ts";

/** A shell command line, or a program with arguments that no shell reads. */
export type Command = { readonly shell: string } | { readonly argv: readonly [string, ...string[]] };

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds until the whole process group is ended. */
  readonly timeoutMs: number;
  /** Milliseconds between asking the group to end and killing it. */
  readonly graceMs?: number;
  /** Bytes of output kept from the start and from the end. */
  readonly keepHead?: number;
  readonly keepTail?: number;
  /** False: `output` is stdout alone, for answers that are parsed. Default: both streams in `output`. */
  readonly mergeStderr?: boolean;
}

export interface RunResult {
  readonly end: "exited" | "signal" | "timeout" | "could-not-start";
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: Buffer;
  /** The first part of stderr, where it was kept apart; else empty. */
  readonly stderr: string;
  /** Bytes left out between head and tail. */
  readonly omitted: number;
  readonly ms: number;
  /** Why it could not start; else empty. */
  readonly cause: string;
}

/**
 * Runs a command to its end. It is a process group of its own without stdin; its output is one stream, kept
 * within bounds; at the deadline, and when this process is told to end, the whole group goes; a shell command's
 * group also when this process is killed. What the command leaves running in the background neither delays the
 * answer nor is touched. Never throws.
 *
 * A process that moved itself into another session (`setsid`) is out of reach of the deadline.
 */
export async function run(command: Command, options: RunOptions): Promise<RunResult> {
  const start = performance.now();
  const { spawn } = await import("node:child_process");
  const merge = options.mergeStderr !== false;
  const [file, args] = argvOf(command, merge);
  // Armed before the start: a signal that comes in between would leave the child without us.
  const leash = armLeash();
  let watcher: ChildProcess | null = null;
  try {
    // Started first: what runs for a moment without it could be left behind.
    if ("shell" in command && process.platform !== "win32") watcher = startWatcher(spawn);
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: options.env,
      detached: process.platform !== "win32",
      stdio: ["ignore", "pipe", merge ? "ignore" : "pipe"],
      windowsHide: true,
      windowsVerbatimArguments: process.platform === "win32" && "shell" in command,
    });
    leash.hold(child);
    if (child.pid !== undefined) watcher?.stdin?.write(`${child.pid}\n`);
    return await follow(child, options, start);
  } catch (error) {
    return notStarted(causeOf(error), start);
  } finally {
    // What is left in the group by now may stay.
    watcher?.stdin?.end("done\n");
    leash.disarm();
  }
}

/** How long output may still arrive after the command itself has ended, milliseconds. */
const lingerMs = 250;

/** One pipe for both streams keeps them in the order written; two pipes would not. */
function argvOf(command: Command, mergeStderr: boolean): [string, string[]] {
  if (process.platform === "win32") return windowsArgv(command, mergeStderr);
  const merge = mergeStderr ? "exec 2>&1\n" : "";
  if ("shell" in command) return ["/bin/sh", ["-c", `${merge}${command.shell}`]];
  const [file, ...args] = command.argv;
  return mergeStderr ? ["/bin/sh", ["-c", `${merge}exec "$@"`, "sh", file, ...args]] : [file, args];
}

/** Not run here: Windows. */
function windowsArgv(command: Command, mergeStderr: boolean): [string, string[]] {
  if ("argv" in command) return [command.argv[0], command.argv.slice(1)];
  const shell = process.env.ComSpec ?? "cmd.exe";
  return [shell, ["/d", "/s", "/c", `"${command.shell}${mergeStderr ? " 2>&1" : ""}"`]];
}

/**
 * Nobody can do anything about SIGKILL, so another process waits for the end of a pipe that only we hold, and
 * then ends the group that it was told of. It stands outside our own group, which may be what is killed.
 */
function startWatcher(spawn: typeof import("node:child_process").spawn): ChildProcess {
  const script = 'read -r group && { read -r word || kill -s KILL -- "-$group"; }';
  const watcher = spawn(
    "/bin/sh",
    ["-c", script, `holdfast: ends what ${process.pid} runs when it is killed`],
    {
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    },
  );
  // Without it the command runs all the same.
  watcher.on("error", () => {});
  watcher.stdin?.on("error", () => {});
  watcher.unref();
  return watcher;
}

async function follow(child: ChildProcess, options: RunOptions, start: number): Promise<RunResult> {
  const tape = createTape(options.keepHead ?? 64 * 1024, options.keepTail ?? 256 * 1024);
  const complaints = createTape(8 * 1024, 0);
  child.stdout?.on("data", (chunk: Buffer) => tape.add(chunk));
  child.stderr?.on("data", (chunk: Buffer) => complaints.add(chunk));
  const ended = await endOf(child, options, start);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  const stderr = complaints.read().output.toString("utf8");
  return { ...ended, ...tape.read(), stderr };
}

/** `ms` of a run that was ended is the time it was given, without what ending it took. */
type Ended = Pick<RunResult, "end" | "code" | "signal" | "cause" | "ms">;

function endOf(child: ChildProcess, options: RunOptions, start: number): Promise<Ended> {
  return new Promise((resolve) => {
    let timedOut = false;
    const lasted = () => performance.now() - start;
    const deadline = setTimeout(async () => {
      timedOut = true;
      const ms = lasted();
      await endGroup(child, options.graceMs ?? 2_000);
      resolve({ end: "timeout", code: null, signal: null, cause: "", ms });
    }, options.timeoutMs);
    child.once("error", (error) => {
      clearTimeout(deadline);
      resolve({ end: "could-not-start", code: null, signal: null, cause: causeOf(error), ms: lasted() });
    });
    child.once("exit", (code, signal) => {
      if (timedOut) return;
      clearTimeout(deadline);
      const ended: Ended = {
        end: signal === null ? "exited" : "signal",
        code,
        signal,
        cause: "",
        ms: lasted(),
      };
      const late = setTimeout(() => resolve(ended), lingerMs);
      child.once("close", () => {
        clearTimeout(late);
        resolve(ended);
      });
    });
  });
}

function notStarted(cause: string, start: number): RunResult {
  const nothing = { output: Buffer.alloc(0), omitted: 0, stderr: "" };
  return {
    end: "could-not-start",
    code: null,
    signal: null,
    ...nothing,
    ms: performance.now() - start,
    cause,
  };
}

/** Asks the group to end, then makes it. Resolves when none of it is left, or could be signalled. */
async function endGroup(child: ChildProcess, graceMs: number): Promise<void> {
  signalGroup(child, "SIGTERM");
  const end = Date.now() + graceMs;
  while (Date.now() < end) {
    if (!signalGroup(child, 0)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  signalGroup(child, "SIGKILL");
}

/** False when there is nobody left to signal. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch {
    return false;
  }
}

const endings: readonly NodeJS.Signals[] = ["SIGTERM", "SIGINT", "SIGHUP"];

interface Leash {
  hold(child: ChildProcess): void;
  disarm(): void;
}

/** Commands that run now. They share one set of listeners: doctor runs dozens at once. */
const leashes = new Set<{ child: ChildProcess | null }>();

/** An agent that ends its hook must not leave the tests running: when we go, the children's groups go. */
function armLeash(): Leash {
  const leash: { child: ChildProcess | null } = { child: null };
  if (leashes.size === 0) listen();
  leashes.add(leash);
  return {
    hold(child) {
      leash.child = child;
    },
    disarm() {
      leashes.delete(leash);
      if (leashes.size === 0) unlisten();
    },
  };
}

function listen(): void {
  process.on("exit", killAll);
  for (const signal of endings) process.on(signal, onEnding);
}

function unlisten(): void {
  process.off("exit", killAll);
  for (const signal of endings) process.off(signal, onEnding);
}

function onEnding(signal: NodeJS.Signals): void {
  killAll();
  leashes.clear();
  unlisten();
  // Inside an agent's own process the agent listens, too, and has been told already.
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}

function killAll(): void {
  for (const { child } of leashes) if (child !== null) signalGroup(child, "SIGKILL");
}
