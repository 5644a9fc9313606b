import { describe, expect, it } from "vitest";
import { blocksOf, isAsTold } from "./page.ts";

describe("a page", () => {
  it("says what to run, what that prints, and what to put where", () => {
    const page = "# A\n\n```sh\nls\n```\n\n```text\na\n```\n\n`src/a.ts`\n\n```ts\na();\n```\n";
    expect(blocksOf(page)).toEqual([
      { kind: "run", line: 3, script: "ls\n", prints: "a\n" },
      { kind: "file", line: 13, path: "src/a.ts", text: "a();\n" },
    ]);
  });

  it.each([
    ["a file without a place", "```ts\na();\n```\n"],
    ["what nothing prints", "```text\na\n```\n"],
    ["what is printed a second time", "```sh\nls\n```\n\n```text\na\n```\n\n```text\na\n```\n"],
  ])("may not hold %s", (_, page) => {
    expect(() => blocksOf(page)).toThrow(/nobody knows what to do/);
  });
});

describe("what is printed", () => {
  it.each([
    ["one\ntwo\n", "one\ntwo", true],
    ["  one \ntwo", "one\n  two", true],
    ["one\ntwo\nthree", "one\n…\nthree", true],
    ["one\nthree", "one\n…\nthree", true],
    ["one (of 3) two", "one (…) two", true],
    ["one\ntwo", "one … two", false],
    ["one\ntwo", "one", false],
    ["one\ntwo", "…\ntw", false],
    ["one", "one\ntwo", false],
    ["onextwo", "one.two", false],
  ])("%j as %j: %s", (printed, told, same) => {
    expect(isAsTold(printed, told)).toBe(same);
  });
});
