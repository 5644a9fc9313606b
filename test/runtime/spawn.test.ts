import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Command, type RunOptions, run } from "../../src/runtime/spawn.ts";
import { tempDir } from "../git/repo.ts";
import { program } from "./program.ts";

const env = { PATH: process.env.PATH ?? "" };
const node = process.execPath;

async function ran(command: Command, options: Partial<RunOptions> = {}) {
  const { output, ms, ...rest } = await run(command, { cwd: tempDir(), env, timeoutMs: 30_000, ...options });
  return { ...rest, output: output.toString("utf8") };
}

const exited = (code: number, output: string) => ({
  end: "exited",
  code,
  signal: null,
  omitted: 0,
  stderr: "",
  cause: "",
  output,
});

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; !condition() && i < 1000; i++) await new Promise((done) => setTimeout(done, 10));
  expect(condition()).toBe(true);
}

/** A process that is gone, or is only waiting to be reaped. */
function isDead(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return true;
  }
}

describe("run", () => {
  it("gives the exit code and both streams as one, in order", async () => {
    expect(await ran({ shell: "echo one; echo two >&2; echo three; exit 3" })).toEqual(
      exited(3, "one\ntwo\nthree\n"),
    );
  });

  it("keeps arguments from the shell", async () => {
    const argv = [node, "-e", "console.error(process.argv[1])", "a b; $(exit 1) 'ü'"] as const;
    expect(await ran({ argv: [...argv] })).toEqual(exited(0, "a b; $(exit 1) 'ü'\n"));
  });

  it("keeps stderr apart where the answer is parsed", async () => {
    const apart = await ran({ argv: ["/bin/sh", "-c", "echo out; echo err >&2"] }, { mergeStderr: false });
    expect(apart).toEqual({ ...exited(0, "out\n"), stderr: "err\n" });
  });

  it("gives no stdin", async () => {
    expect(await ran({ shell: "wc -c" })).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^\s*0\n$/),
    });
  });

  it("tells a signal, a missing program and a missing folder apart", async () => {
    expect(await ran({ shell: "kill -SEGV $$" })).toMatchObject({
      end: "signal",
      code: null,
      signal: "SIGSEGV",
    });
    expect(await ran({ argv: ["/no/such/program"] }, { mergeStderr: false })).toMatchObject({
      end: "could-not-start",
      cause: expect.stringContaining("ENOENT"),
    });
    expect(await ran({ shell: "true" }, { cwd: "/no/such/folder" })).toMatchObject({
      end: "could-not-start",
    });
  });

  it("does not wait for what stays in the background, and leaves it alone", async () => {
    const file = join(tempDir(), "pid");
    const result = await ran({ shell: `sleep 300 & echo $! > ${file}; echo done` });
    const pid = Number(readFileSync(file, "utf8"));
    expect([result, isDead(pid)]).toEqual([exited(0, "done\n"), false]);
    process.kill(pid, "SIGKILL");
  });

  it("ends the whole group at the deadline, also what ignores the request", async () => {
    const dir = tempDir();
    const stubborn = `trap '' TERM; echo $$ > ${dir}/child; while :; do sleep 0.05; done`;
    writeFileSync(join(dir, "stubborn.sh"), stubborn);
    const result = await ran(
      { shell: `sh ${dir}/stubborn.sh & echo started; wait` },
      { timeoutMs: 300, graceMs: 200 },
    );
    expect(result).toMatchObject({ end: "timeout", code: null, signal: null, output: "started\n" });
    const pid = Number(readFileSync(join(dir, "child"), "utf8"));
    await until(() => isDead(pid));
  });

  it("counts the time until the deadline, not what ending it took", async () => {
    const stubborn = "trap '' TERM; while :; do sleep 0.05; done";
    const { ms } = await run({ shell: stubborn }, { cwd: tempDir(), env, timeoutMs: 300, graceMs: 3_000 });
    expect(ms).toBeGreaterThanOrEqual(299);
    expect(ms).toBeLessThan(2_500);
  });

  it("keeps head and tail of 50 MB in bounded memory", async () => {
    const script = `const line = "x".repeat(1023) + "\\n"; process.stdout.write("first\\n");
      let n = 0; (function go() { while (n++ < 51200) if (!process.stdout.write(line)) return process.stdout.once("drain", go);
      process.stdout.write("last\\n"); })();`;
    const before = process.memoryUsage().rss;
    const result = await ran({ argv: [node, "-e", script] }, { keepHead: 1000, keepTail: 2000 });
    const grown = process.memoryUsage().rss - before;
    expect([result.output.slice(0, 6), result.output.slice(-5), result.output.length]).toEqual([
      "first\n",
      "last\n",
      3000,
    ]);
    expect(result.omitted).toBe(51200 * 1024 + 11 - 3000);
    expect(grown).toBeLessThan(40 * 1024 * 1024);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("ends the group when this process gets %s", async (signal) => {
    const dir = tempDir();
    const script = await program(
      dir,
      `import { existsSync, writeFileSync } from "node:fs";
       import { run } from "@/runtime/spawn.ts";
       // A turn of its own after the start: by then the watcher has been told.
       setInterval(() => existsSync("pid") && writeFileSync("told", ""), 10);
       await run({ shell: "sleep 300 & echo $! > pid; wait" }, { cwd: "${dir}", env: process.env, timeoutMs: 60000 });`,
    );
    const parent = spawn(node, [script], { cwd: dir, stdio: "ignore", detached: true });
    const ended = new Promise((done) => parent.once("exit", (_code, how) => done(how)));
    await until(() => existsSync(join(dir, "told")) && readFileSync(join(dir, "pid"), "utf8").endsWith("\n"));
    process.kill(-(parent.pid ?? 0), signal);
    expect(await ended).toBe(signal);
    await until(() => isDead(Number(readFileSync(join(dir, "pid"), "utf8"))));
  });

  it("leaves no watcher behind, and what stays in the background alone, when this process ends", async () => {
    const dir = tempDir();
    const script = await program(
      dir,
      `import { run } from "@/runtime/spawn.ts";
       await run({ shell: "sleep 300 & echo $! > pid; sleep 0.5" }, { cwd: "${dir}", env: process.env, timeoutMs: 60000 });`,
    );
    const parent = spawn(node, [script], { cwd: dir, stdio: "ignore" });
    const watchers = () =>
      commandLines().filter((line) => line.includes(`holdfast: ends what ${parent.pid} runs`));
    await until(() => watchers().length > 0);
    await new Promise((done) => parent.once("exit", done));
    const left = Number(readFileSync(join(dir, "pid"), "utf8"));
    await until(() => watchers().length === 0);
    expect(isDead(left)).toBe(false);
    process.kill(left, "SIGKILL");
  });
});

/** Of every process that runs, its words joined by spaces. */
function commandLines(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    });
}
