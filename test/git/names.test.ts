import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRepository } from "../../src/git/repository.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-names-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: folder });
  git("init", "-q");
  for (const [name, text] of [
    ["a b ü", "1"],
    ["c", "1"],
    ["c", "2"],
  ] as const) {
    writeFileSync(join(folder, name), text);
    git("add", "-A");
    git("commit", "-qm", "x");
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("git names the files of a commit, and those that differ; of anything else it is not asked", async () => {
  const complaints: string[] = [];
  const { names } = openRepository(folder, { PATH: process.env.PATH }, "ask", (words) =>
    complaints.push(words),
  );
  expect([
    await names("tree", ["HEAD"]),
    await names("diff", ["HEAD~2", "HEAD"]),
    await names("diff", ["HEAD^..HEAD"]),
    await names("diff", []),
    await names("diff", ["none"]),
    await names("diff", ["--output=stolen", "HEAD^"]),
  ]).toEqual([["a b ü", "c"], ["c"], ["c"], [], null, null]);
  expect([existsSync(join(folder, "stolen")), complaints]).toEqual([false, []]);
});
