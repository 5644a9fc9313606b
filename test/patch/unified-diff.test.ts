import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diffTouches } from "../../src/patch/unified-diff.ts";

describe("a unified diff", () => {
  it.each([
    ["git's prefixes", "--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1 +1 @@\n-a\n+b\n", [["src/x.ts", "write"]]],
    ["no prefixes", "--- .env\n+++ .env\n@@ -1 +1 @@\n", [[".env", "write"]]],
    ["mnemonic prefixes", "--- i/.env\n+++ w/.env\n", [[".env", "write"]]],
    [
      "a time after the name",
      "--- x.key\t2026-01-02 03:04:05 +0000\n+++ x.key\t2026-01-02\n",
      [["x.key", "write"]],
    ],
    [
      "a time after blanks",
      "--- x.key 2026-01-02 03:04:05.0 +0000\n+++ x.key 2026-01-02 03:04:05\n",
      [["x.key", "write"]],
    ],
    ["a new file", "--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+a\n", [[".env", "write"]]],
    ["a deleted file", "--- a/.env\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", [[".env", "delete"]]],
    [
      "two names",
      "--- a.orig\n+++ a.txt\n",
      [
        ["a.txt", "write"],
        ["a.orig", "write"],
      ],
    ],
    ["octal escapes", '--- "a/s\\303\\251crets"\n+++ "b/s\\303\\251crets"\n', [["sécrets", "write"]]],
    ["letters escaped", '--- "a/a\\tb\\"c\\\\d"\n+++ "b/a\\tb\\"c\\\\d"\n', [['a\tb"c\\d', "write"]]],
    ["CRLF", "--- a/.env\r\n+++ b/.env\r\n@@ -1 +1 @@\r\n", [[".env", "write"]]],
    [
      "a context diff",
      "*** old/.env\tMon\n--- new/.env\tMon\n***************\n*** 1,2 ****\n--- 1,2 ----\n",
      [
        ["new/.env", "write"],
        ["old/.env", "write"],
      ],
    ],
    ["an index line", "Index: secrets/a\n=======\n", [["secrets/a", "write"]]],
    [
      "a rename",
      "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
      [
        ["x", "move"],
        ["y", "write"],
      ],
    ],
    ["a copy", "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n", [["y", "write"]]],
    [
      "a mode",
      "diff --git a/run me.sh b/run me.sh\nold mode 100644\nnew mode 100755\n",
      [["run me.sh", "write"]],
    ],
    [
      "an empty file deleted",
      "diff --git a/x.pem b/x.pem\ndeleted file mode 100644\nindex e69de29..0000000\n",
      [["x.pem", "delete"]],
    ],
    [
      "binary",
      "diff --git a/x.pem b/x.pem\nindex 1..2 100644\nGIT binary patch\nliteral 1\n",
      [["x.pem", "write"]],
    ],
    [
      "a quoted header",
      'diff --git "a/\\303\\251" "b/\\303\\251"\nold mode 100644\nnew mode 100755\n',
      [["é", "write"]],
    ],
    [
      "a mail around it",
      "From: x\nSubject: y\n\n---\n a | 1 +\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n",
      [["a", "write"]],
    ],
    ["removed dashes", "--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1 @@\n--- a comment\n x\n", [["q.sql", "write"]]],
    ["nothing", "", []],
    ["prose", "--- not a header\nplain\n+++ neither\n", []],
  ])("is read with %s", (_, diff, expected) => {
    expect(diffTouches(diff)).toEqual(expected.map(([path, action]) => ({ path, action })));
  });

  it("takes off as many folders as it is told", () => {
    const diff = "--- a/b/secrets/x\n+++ a/b/secrets/x\n";
    expect(diffTouches(diff, 0)).toEqual([{ path: "a/b/secrets/x", action: "write" }]);
    expect(diffTouches(diff, 2)).toEqual([{ path: "secrets/x", action: "write" }]);
    expect(diffTouches(diff, 9)).toEqual([{ path: "x", action: "write" }]);
  });

  it("is read in one pass however long it is", () => {
    const long = `${"--- a\n".repeat(100_000)}${"diff --git a b\n".repeat(100_000)}--- a/.env\n+++ b/.env\n--- x${" ".repeat(300_000)}y\n+++ z`;
    expect(diffTouches(long)).toContainEqual({ path: ".env", action: "write" });
  });
});

describe("a diff that real git writes", () => {
  let repo = "";
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { encoding: "utf8" });

  beforeEach(() => {
    repo = mkdtempSync(join(tmpdir(), "holdfast-diff-"));
    git("init", "-q");
    git("config", "user.email", "dev@example.com");
    git("config", "user.name", "dev");
  });

  afterEach(() => rmSync(repo, { recursive: true, force: true }));

  it.each([
    ["as usual", []],
    ["without prefixes", ["--no-prefix"]],
    ["with renames", ["-M"]],
    ["with binary data", ["--binary"]],
    ["with raw names", ["-c", "core.quotePath=false"]],
  ])("names every file it changes, %s", (_, options) => {
    const names = [
      "plain.txt",
      "with blank.txt",
      "naïve.txt",
      'quo"te.txt',
      "tab\tname",
      "empty",
      "run.sh",
      "old name",
      "bin",
    ];
    mkdirSync(join(repo, "b"));
    for (const name of names) writeFileSync(join(repo, name), name === "empty" ? "" : `${name}\n1\n2\n3\n`);
    writeFileSync(join(repo, "b/deep"), "x\n");
    git("add", "-A");
    git("commit", "-qm", "one");
    for (const name of ["plain.txt", "with blank.txt", "naïve.txt", 'quo"te.txt', "b/deep"]) {
      writeFileSync(join(repo, name), "changed\n");
    }
    writeFileSync(join(repo, "bin"), Buffer.from([0, 1, 2, 0xff]));
    rmSync(join(repo, "tab\tname"));
    rmSync(join(repo, "empty"));
    chmodSync(join(repo, "run.sh"), 0o755);
    renameSync(join(repo, "old name"), join(repo, "new name"));
    symlinkSync("plain.txt", join(repo, "link"));
    git("add", "-A");
    const config = options[0] === "-c" ? options : [];
    const flags = options[0] === "-c" ? [] : options;
    const changed = git("diff", "--cached", "--name-only", "--no-renames", "-z").split("\0").filter(Boolean);
    const diff = git(...config, "diff", "--cached", ...flags);
    const seen = new Set(diffTouches(diff).map(({ path }) => path));
    expect([...seen].sort()).toEqual([...changed].sort());
  });
});
