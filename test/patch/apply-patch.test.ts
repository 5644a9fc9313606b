import { describe, expect, it } from "vitest";
import { patchTouches } from "../../src/patch/apply-patch.ts";

const update = "*** Begin Patch\n*** Update File: .env\n@@\n-A=1\n+A=2\n*** End Patch\n";

describe("a patch in Codex's format", () => {
  it("names added, updated, deleted and moved files", () => {
    const patch = [
      "*** Begin Patch",
      "*** Add File: docs/new file.md",
      "+hello",
      "*** Update File: src/a.ts",
      "@@ function a()",
      "-old",
      "+new",
      "*** Update File: src/from.ts",
      "*** Move to: src/to.ts",
      "@@",
      " same",
      "*** Delete File: gone.txt",
      "*** End Patch",
    ].join("\n");
    expect(patchTouches(patch)).toEqual([
      { path: "docs/new file.md", action: "write" },
      { path: "src/a.ts", action: "write" },
      { path: "src/from.ts", action: "move" },
      { path: "src/to.ts", action: "write" },
      { path: "gone.txt", action: "delete" },
    ]);
  });

  it.each([
    ["CRLF", update.replaceAll("\n", "\r\n")],
    ["no begin and no end", "*** Update File: .env\n@@\n+A=2"],
    [
      "blanks around the markers",
      "  *** Begin Patch\n \t*** Update File: .env  \t\n@@\n+A\n  *** End Patch  ",
    ],
    ["no blank before the path", "*** Update File:.env\n"],
    ["a blank before the colon", "*** Update File : .env\n"],
    ["lower case", "*** begin patch\n*** update file: .env\n*** end patch"],
    ["other blanks", "\u00a0*** Update File: .env\u0085\n"],
    ["a byte order mark", `\ufeff${update}`],
    ["a here-document", `<<'EOF'\n${update}EOF\n`],
    ["a shell command", `apply_patch <<"PATCH"\n${update}PATCH\n`],
    ["text around it", `Here you go:\n\n\`\`\`\n${update}\`\`\`\n`],
    ["a marker on a context line", "*** Update File: .env\n@@\n *** Update File: .env\n"],
    ["no line end", "*** Update File: .env"],
  ])("is read with %s", (_, patch) => {
    expect(patchTouches(patch)).toEqual([{ path: ".env", action: "write" }]);
  });

  it("is read to the end when several stand in one text", () => {
    const second = "*** Begin Patch\n*** Delete File: b.key\n*** End Patch";
    expect(patchTouches(`${update}\n${second}`)).toEqual([
      { path: ".env", action: "write" },
      { path: "b.key", action: "delete" },
    ]);
  });

  it("keeps blanks in front and quotes around a path as a second reading, as Codex does", () => {
    expect(patchTouches("*** Add File:   .env")).toEqual([
      { path: ".env", action: "write" },
      { path: "  .env", action: "write" },
    ]);
    expect(patchTouches('*** Delete File: ".env"')).toEqual([
      { path: ".env", action: "delete" },
      { path: '".env"', action: "delete" },
    ]);
    expect(patchTouches("*** Add File:   /../secrets/a")).toContainEqual({
      path: "  /../secrets/a",
      action: "write",
    });
  });

  it("reads a lone CR both ways, as part of a path and as its end", () => {
    expect(patchTouches("*** Add File: x\r/../.env\n+a")).toEqual([
      { path: "x\r/../.env", action: "write" },
      { path: "x", action: "write" },
    ]);
  });

  it("takes a move without an update for a write", () => {
    expect(patchTouches("*** Move to: .env\n")).toEqual([{ path: ".env", action: "write" }]);
    expect(patchTouches("*** Add File: a\n+x\n*** Move to: .env\n")).toEqual([
      { path: "a", action: "write" },
      { path: ".env", action: "write" },
    ]);
  });

  it("does not take added or removed text for markers", () => {
    const patch =
      "*** Add File: notes.md\n+*** Update File: .env\n-*** Delete File: .env\n+ *** Move to: .env\n";
    expect(patchTouches(patch)).toEqual([{ path: "notes.md", action: "write" }]);
  });

  it("names nothing where there is nothing", () => {
    expect(patchTouches("")).toEqual([]);
    expect(patchTouches("*** Begin Patch\n*** End Patch")).toEqual([]);
    expect(patchTouches("*** Add File:   \n+x")).toEqual([]);
    expect(patchTouches("plain text about *** Add File: x")).toEqual([]);
  });

  it("is read in one pass however long it is", () => {
    const blanks = ["\r", "\u2028", "\ufeff", "\u0085"].map((char) => char.repeat(200_000)).join("");
    const path = `*** Add File: a${" ".repeat(300_000)}b\n`;
    expect(patchTouches(path)).toHaveLength(1);
    const long = `${blanks}${" ".repeat(500_000)}\n${"*** \n".repeat(200_000)}${"***".repeat(200_000)}\n${update}`;
    expect(patchTouches(long)).toEqual([{ path: ".env", action: "write" }]);
  });
});
