import { expect, it } from "vitest";
import { shortPath, unifiedDiff } from "../../src/install/diff.ts";

it("shows a change, a new and a removed file as people know it from git", () => {
  expect(unifiedDiff("a/b.json", Buffer.from("{\n}\n"), Buffer.from("{\n  1\n}\n"))).toBe(
    "--- a/b.json\n+++ a/b.json\n@@ -1,2 +1,3 @@\n {\n+  1\n }\n",
  );
  expect(unifiedDiff("x", null, Buffer.from("new"))).toBe(
    "--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+new\n\\ No newline at end of file\n",
  );
  expect(unifiedDiff("x", Buffer.from("old\n"), null)).toBe("--- x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-old\n");
});

it("names files as people write them", () => {
  expect(shortPath("/p/r/.codex/hooks.json", "/p/r", "/p")).toBe(".codex/hooks.json");
  expect(shortPath("/p/.codex/hooks.json", "/p/r", "/p")).toBe("~/.codex/hooks.json");
  expect(shortPath("/etc/x", null, "/p")).toBe("/etc/x");
});
