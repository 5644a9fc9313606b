import { describe, expect, test } from "vitest";
import { pathsIn, serverCommand } from "../../src/agents/_family/server-tool.ts";

describe("paths among the arguments of an unknown tool", () => {
  test.each([
    [{ path: ".env" }, [".env"]],
    [{ files: [{ path: "a.ts", content: "x" }, { path: ".env" }] }, ["a.ts", ".env"]],
    [{ edits: [{ fileName: "a.ts" }] }, ["a.ts"]],
    [{ uri: "file:///home/dev/app/.env" }, ["file:///home/dev/app/.env"]],
    [{ items: [{ uri: ".env" }] }, [".env"]],
    [{ uri: "https://example.org/.env", url: "x/.env" }, []],
    [{ files: { path: ".env" }, text: "b.ts" }, [".env"]],
    [{ paths: [1, null, "a"] }, ["a"]],
  ])("%j", (input, paths) => {
    expect(pathsIn(input)).toEqual(paths);
  });
});

describe("what a tool of an MCP server runs", () => {
  test.each([
    ["mcp__box__run_command", { command: "ls" }, "ls"],
    ["mcp__box__shell", { script: "rm .env" }, "rm .env"],
    ["mcp__box__executeCode", { code: "rm -rf ~", language: "bash" }, "rm -rf ~"],
    [
      "mcp__box__executeCode",
      { code: "open('.env','w')", language: "python" },
      "python3 -c 'open('\\''.env'\\'','\\''w'\\'')'",
    ],
    [
      "mcp__box__exec",
      { code: "import os\nos.remove('a')" },
      "python3 -c 'import os\nos.remove('\\''a'\\'')'",
    ],
    ["mcp__box__run", { code: 'const fs = require("fs")' }, "node -e 'const fs = require(\"fs\")'"],
    ["mcp__runner__describe", { code: "rm .env" }, null],
    ["mcp__db__truncate", { script: "x" }, null],
    ["mcp__notes__add", { command: "rm .env" }, null],
  ])("%s %j", (name, input, command) => {
    expect(serverCommand(name, input)).toBe(command);
  });
});
