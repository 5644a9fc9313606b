import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Problem, problem } from "../../src/core/problem.ts";
import { blankProject, blankSession, type Check } from "../../src/policies/context.ts";
import { awaitLock, takeLock } from "../../src/runtime/lock.ts";
import { readProblems, recordProblem } from "../../src/runtime/problems.ts";
import { openState, pruneSessions, stateDir } from "../../src/runtime/state.ts";
import { tempDir } from "../git/repo.ts";
import { program } from "./program.ts";

const check: Check = {
  at: 1,
  by: "a/s",
  command: "npm test",
  fingerprint: "f",
  head: null,
  outcome: "newly-failing",
  ended: "exit 1",
  failures: ["x failed"],
  tail: "x failed",
};

function opened(dir: string) {
  const problems: Problem[] = [];
  return {
    problems,
    codes: () => problems.map((p) => p.code),
    state: openState(dir, (p) => problems.push(p)),
  };
}

function nodeRun(args: readonly string[]): Promise<number | null> {
  return new Promise((done) =>
    spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] }).once("exit", done),
  );
}

const asRoot = process.getuid?.() === 0;

describe("state", () => {
  it("gives back what was written, per agent and session", () => {
    const { state, problems } = opened(join(tempDir(), "state"));
    const one = state.updateSession("a", "1", (s) => ({
      ...s,
      since: 5,
      base: "c0ffee",
      baseAt: 4,
      idle: true,
      retries: 2,
      before: check,
      told: ["k"],
    }));
    expect(one.saved).toBe(true);
    expect(state.session("a", "1")).toEqual({
      ...blankSession,
      since: 5,
      base: "c0ffee",
      baseAt: 4,
      idle: true,
      retries: 2,
      before: check,
      told: ["k"],
    });
    expect([state.session("a", "2"), state.session("b", "1"), state.session("a", null)]).toEqual(
      Array(3).fill(blankSession),
    );
    const project = { passed: ["x"], lastCheck: check, heard: ["a"] };
    expect(state.updateProject(() => project)).toBe(true);
    expect(state.project()).toEqual(project);
    expect(problems).toEqual([]);
  });

  it("is readable by the person alone", () => {
    const dir = join(tempDir(), "state");
    opened(dir).state.updateProject((p) => p);
    expect([statSync(dir).mode & 0o777, statSync(join(dir, "project.json")).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  it.each([
    ["torn", '{"passed":["a"'],
    ["empty", ""],
    ["of another shape", '{"passed":"yes"}'],
    ["no object", "[1]"],
    ["binary", "\u0000\u0001"],
  ])("notices a file that is %s, keeps it aside and starts anew", (_what, text) => {
    const dir = tempDir();
    const file = join(dir, "project.json");
    writeFileSync(file, text);
    const { state, problems } = opened(dir);
    expect(state.project()).toEqual(blankProject);
    expect(problems).toMatchObject([{ code: "HF804", where: { file: `${file}.damaged` } }]);
    expect(readFileSync(`${file}.damaged`, "utf8")).toBe(text);
    expect(state.project()).toEqual(blankProject);
    expect(problems.length).toBe(1);
  });

  it("never counts a retry that is not a whole number from 0", () => {
    const dir = tempDir();
    const { state, codes } = opened(dir);
    state.updateSession("a", "1", (s) => ({ ...s, since: 1 }));
    const [file = ""] = readdirSync(dir).filter((name) => name.endsWith(".json"));
    writeFileSync(join(dir, file), JSON.stringify({ ...blankSession, since: 1, retries: -5 }));
    expect([state.session("a", "1"), codes()]).toEqual([blankSession, ["HF804"]]);
  });

  it.skipIf(asRoot)("goes on and says so when the folder cannot be written", () => {
    const dir = tempDir();
    chmodSync(dir, 0o500);
    const { state, codes } = opened(dir);
    const { saved, state: changed } = state.updateSession("a", "1", (s) => ({ ...s, retries: 1 }));
    expect([saved, changed.retries, codes()]).toEqual([false, 1, ["HF807"]]);
  });

  it("goes on and says so when there can be no folder", async () => {
    const file = join(tempDir(), "a-file");
    writeFileSync(file, "");
    const { state, codes } = opened(join(file, "state"));
    expect(state.updateProject((p) => p)).toBe(false);
    expect(await state.exclusively(10, async () => "done")).toBe("done");
    expect(codes()).toEqual(["HF807", "HF807"]);
  });

  it("goes on without the lock when someone sits on it", () => {
    const dir = tempDir();
    const { state, codes } = opened(dir);
    const held = takeLock(join(dir, "project.json.lock"), { waitMs: 0 });
    expect(state.updateProject((p) => ({ ...p, passed: ["x"] }))).toBe(true);
    expect([state.project().passed, codes()]).toEqual([["x"], ["HF808"]]);
    held?.release();
  });

  it("does not follow a symlink a repository brought along", () => {
    const root = tempDir();
    const victim = join(tempDir(), "victim.json");
    writeFileSync(victim, '{"passed":["forged"]}');
    mkdirSync(join(root, ".holdfast", "state"), { recursive: true });
    const dir = stateDir(root, "/home/x/.holdfast");
    symlinkSync(victim, join(dir, "project.json"));
    const { state } = opened(dir);
    expect(state.project()).toEqual(blankProject);
    state.updateProject((p) => ({ ...p, passed: ["mine"] }));
    expect([readFileSync(victim, "utf8"), state.project().passed]).toEqual([
      '{"passed":["forged"]}',
      ["mine"],
    ]);
  });

  it("lies in the project's own folder when there is a real one, else with the person", () => {
    const [plain, own, linked, inner] = [tempDir(), tempDir(), tempDir(), tempDir()];
    mkdirSync(join(own, ".holdfast"));
    symlinkSync(own, join(linked, ".holdfast"));
    mkdirSync(join(inner, ".holdfast"));
    symlinkSync(own, join(inner, ".holdfast", "state"));
    const home = expect.stringMatching(/^\/h\/projects\/[0-9a-f]{32}$/);
    expect([plain, own, linked, inner].map((root) => stateDir(root, "/h"))).toEqual([
      home,
      join(own, ".holdfast", "state"),
      home,
      home,
    ]);
  });

  it("loses no update among many processes", async () => {
    const dir = tempDir();
    const script = await program(
      tempDir(),
      `import { openState } from "@/runtime/state.ts";
       const state = openState(${JSON.stringify(dir)}, (p) => { console.error(p.code, p.cause); process.exitCode = 1; });
       for (let i = 0; i < 10; i++) state.updateSession("a", "1", (s) => ({ ...s, since: 1, retries: s.retries + 1 }));`,
    );
    expect(await Promise.all(Array.from({ length: 12 }, () => nodeRun([script])))).toEqual(Array(12).fill(0));
    const { state, problems } = opened(dir);
    expect([state.session("a", "1").retries, problems]).toEqual([120, []]);
    expect(
      readdirSync(dir).filter((name) => !name.startsWith("session-") || !name.endsWith(".json")),
    ).toEqual([]);
  });

  it("forgets sessions after their time", () => {
    const dir = tempDir();
    const { state } = opened(dir);
    state.updateSession("a", "old", (s) => ({ ...s, since: 1 }));
    for (const name of readdirSync(dir)) utimesSync(join(dir, name), 0, 0);
    state.updateSession("a", "new", (s) => ({ ...s, since: 1 }));
    pruneSessions(dir, 30, Date.now());
    expect([state.session("a", "old").since, state.session("a", "new").since]).toEqual([0, 1]);
  });
});

describe("locks", () => {
  it("are held by one, and say whether one had to wait", async () => {
    const path = join(tempDir(), "folder", "x.lock");
    const first = takeLock(path, { waitMs: 0 });
    expect([first?.waited, takeLock(path, { waitMs: 20 })]).toEqual([false, null]);
    const second = awaitLock(path, { waitMs: 20_000 });
    first?.release();
    expect((await second)?.waited).toBe(true);
  });

  it.each([
    ["a process that is gone", { pid: 2 ** 22 + 1, started: "1", token: "t" }],
    ["an earlier process of the same number", { pid: process.pid, started: "1", token: "t" }],
  ])("are taken over from %s", (_who, owner) => {
    const path = join(tempDir(), "x.lock");
    writeFileSync(path, JSON.stringify(owner));
    expect(takeLock(path, { waitMs: 1_000 })).not.toBeNull();
  });

  it("are not taken from a living process, nor from one that is just writing its name", () => {
    const path = join(tempDir(), "x.lock");
    writeFileSync(path, "");
    expect(takeLock(path, { waitMs: 20 })).toBeNull();
    utimesSync(path, 1, 1);
    expect(takeLock(path, { waitMs: 1_000 })).not.toBeNull();
  });

  it("leave another one's lock alone on release", () => {
    const path = join(tempDir(), "x.lock");
    const held = takeLock(path, { waitMs: 0 });
    writeFileSync(path, JSON.stringify({ pid: 1, started: "x", token: "other" }));
    held?.release();
    expect(existsSync(path)).toBe(true);
  });

  it("let exactly one of many take over at a time", async () => {
    const dir = tempDir();
    writeFileSync(join(dir, "x.lock"), JSON.stringify({ pid: 2 ** 22 + 1, started: "1", token: "t" }));
    const script = await program(
      tempDir(),
      `import { openSync, closeSync, unlinkSync } from "node:fs";
       import { takeLock } from "@/runtime/lock.ts";
       for (let i = 0; i < 20; i++) {
         const held = takeLock(${JSON.stringify(join(dir, "x.lock"))}, { waitMs: 60000 });
         if (held === null) process.exit(3);
         closeSync(openSync(${JSON.stringify(join(dir, "inside"))}, "wx"));
         unlinkSync(${JSON.stringify(join(dir, "inside"))});
         // Every third dies with the lock in its hands.
         if (i === 19 && process.pid % 3 === 0) process.exit(0);
         held.release();
       }`,
    );
    expect(await Promise.all(Array.from({ length: 10 }, () => nodeRun([script])))).toEqual(Array(10).fill(0));
  });
});

describe("the record of problems", () => {
  it("is read back oldest first, without the lines that are damaged", () => {
    const home = tempDir();
    const one = problem("HF804", "one", {
      severity: "warning",
      where: { file: "/x", line: 3 },
      hint: "do",
      cause: "c",
    });
    const two = problem("HF605", "two");
    recordProblem(one, {}, home);
    writeFileSync(join(home, ".holdfast", "problems.jsonl"), "{torn\nnull\n", { flag: "a" });
    const origin = { project: "/p", event: "turn-end" };
    recordProblem(two, {}, home, origin);
    const at = expect.any(Number);
    expect(readProblems({}, home)).toEqual([
      { at, project: null, event: null, ...one },
      { at, ...origin, ...two },
    ]);
    expect(statSync(join(home, ".holdfast", "problems.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("stays small", () => {
    const home = tempDir();
    const big = problem("HF804", "x".repeat(60_000));
    for (let i = 0; i < 20; i++) recordProblem(big, { HOLDFAST_HOME: home }, "/nowhere");
    const sizes = readdirSync(home).map((name) => statSync(join(home, name)).size);
    expect([sizes.length, Math.max(...sizes) < 400_000]).toEqual([2, true]);
  });

  it("gives up quietly where nothing can be written", () => {
    expect(recordProblem(problem("HF804", "x"), { HOLDFAST_HOME: "/dev/null/x" }, "/")).toBe(false);
  });
});
