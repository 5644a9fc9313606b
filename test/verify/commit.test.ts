import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Settings } from "../../src/core/settings.ts";
import { allow } from "../../src/core/verdict.ts";
import { commit } from "../../src/policies/commit/index.ts";
import { verify } from "../../src/policies/verify/index.ts";
import { newRepo } from "../git/repo.ts";
import { type Desk, newDesk, settingsWith } from "./turn.ts";

function commits(desk: Desk, more: Partial<Settings> = {}) {
  const event = desk.preCommit();
  return commit(event, { ...settingsWith({ command: desk.command }), ...more }, desk.context(event));
}

const message = (text: RegExp) => ({ ...allow, messages: [expect.stringMatching(text)] });

describe("before a commit", () => {
  it("refuses protected files and lists each with its pattern and what happens to it", async () => {
    const repo = newRepo();
    repo.commit({ ".env.local": "A=1\n", "migrations/1.sql": "x\n" });
    const desk = newDesk(repo);
    desk.write(".ENV", "B=1\n");
    desk.write("certs/größe \n.pem", "k\n");
    desk.write("fine.txt", "x\n");
    desk.git("rm", "-q", ".env.local");
    desk.git("mv", "migrations/1.sql", "old.sql");
    desk.git("add", "-A");
    const answer = await commits(desk);
    expect({ ...answer, reason: answer.reason.split("\n") }).toEqual({
      ...allow,
      decision: "deny",
      by: ["protect"],
      reason: [
        "Holdfast refuses this commit: it changes 4 protected files.",
        '  added .ENV  (protected by ".env")',
        '  deleted .env.local  (protected by ".env.*")',
        '  added "certs/größe \\n.pem"  (protected by "*.pem")',
        '  deleted migrations/1.sql  (protected by "migrations/**")',
        "Take it out of the commit with: git restore --staged <file>",
        "A person who means it commits with: git commit --no-verify",
        "To allow a file for good, add it to protect.except in holdfast.yaml.",
      ],
    });
    expect(desk.runs()).toBe(0);
  });

  it("looks at what is staged alone", async () => {
    const desk = newDesk();
    desk.write(".env", "A=1\n");
    desk.write("a.txt", "new\n");
    desk.git("add", "a.txt");
    expect(await commits(desk, { git: { runTests: false } })).toEqual(allow);
    desk.git("add", ".env");
    desk.write(".env", "");
    expect((await commits(desk)).decision).toBe("deny");
  });

  it("refuses failing tests and shows the output", async () => {
    const desk = newDesk();
    desk.write("code", "1\n");
    desk.write("out", "1 failed\n");
    desk.git("add", "-A");
    expect(await commits(desk)).toEqual({
      ...allow,
      decision: "deny",
      by: ["tests"],
      reason: expect.stringMatching(
        /the tests fail: .*\(exit 1\)\.\n1 failed\nA person .* git commit --no-verify$/,
      ),
    });
    expect(await commits(desk, { git: { runTests: false } })).toEqual(allow);
  });

  it("allows passing tests silently, and says when they saw more than the commit takes", async () => {
    const desk = newDesk();
    desk.write("a.txt", "new\n");
    desk.git("add", "-A");
    expect([await commits(desk), desk.runs()]).toEqual([allow, 1]);
    desk.write("b.txt", "not staged\n");
    expect(await commits(desk)).toEqual(
      message(/passed on the working tree, which holds changes this commit does not take/),
    );
  });

  it.each([
    ["could not be run", "no-such-runner", /could not be run: .*\(exit 127\); the commit was not tested/],
    ["did not finish", "sleep 300", /did not finish: .* was stopped after/],
    ["found nothing", "echo 'no tests ran in 0.1s'; exit 5", /found no tests; the commit was not tested/],
  ])("lets the commit go, and says so, when the tests %s", async (_what, command, words) => {
    const desk = newDesk();
    const { tests } = settingsWith({ command, timeoutMs: 1_000 });
    expect(await commits(desk, { tests })).toEqual(message(words));
  });

  it("lets the commit go when git does not answer, and leaves a record", async () => {
    const desk = newDesk();
    writeFileSync(join(desk.root, ".git/HEAD"), "garbage");
    expect(await commits(desk)).toEqual(message(/git did not answer \(.+\), so this commit was not checked/));
    expect(desk.problems()).toContain("HF605");
  });

  it("saves the turn end that follows a tested commit its run", async () => {
    const desk = newDesk();
    desk.write("a.txt", "new\n");
    desk.git("add", "-A");
    await commits(desk);
    desk.git("commit", "-qm", "x");
    const event = desk.turnEnd();
    expect(await verify(event, settingsWith({ command: desk.command }), desk.context(event))).toEqual(allow);
    expect(desk.runs()).toBe(1);
  });

  it("judges names, not where the working tree's links lead", async () => {
    const desk = newDesk();
    mkdirSync(join(desk.root, "secrets"));
    desk.write("run.sh", "x");
    chmodSync(join(desk.root, "run.sh"), 0o755);
    desk.git(
      "update-index",
      "--add",
      "--cacheinfo",
      `120000,${desk.git("hash-object", "-w", "a.txt").trim()},link`,
    );
    expect(await commits(desk, { git: { runTests: false } })).toEqual(allow);
  });
});
