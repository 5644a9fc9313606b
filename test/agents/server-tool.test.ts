import { describe, expect, test } from "vitest";
import { pathsIn, serverCommands, serverTool } from "../../src/agents/_family/server-tool.ts";

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
    [{ files: { ".env": "A=2", "src/a.ts": "x" } }, [".env", "src/a.ts"]],
    [{ output_path: ".env", saveAs: "b.ts" }, [".env", "b.ts"]],
    [{ dir: "/home/dev/app/", filename: ".env" }, [".env", "/home/dev/app/.env"]],
    [{ folder: "migrations", name: "1.sql" }, ["migrations/1.sql"]],
    [{ directory: "https://example.org", name: "1.sql" }, []],
    [{ cwd: "/home/dev", path: "/etc/hosts" }, ["/etc/hosts"]],
    [{ path: "a.ts", from: "process.env", to: "config.key" }, ["a.ts"]],
    [{ changes: { "src/a.ts": [{ newText: "x" }] } }, ["src/a.ts"]],
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
    ["mcp__box__exec", { command: "cp", args: ["a b", ".env"] }, "cp 'a b' .env"],
    ["mcp__box__exec", { command: "rm", args: "-rf /" }, "rm -rf /"],
    ["mcp__box__exec", { argv: ["rm", "-rf", "/"] }, "rm -rf /"],
    ["mcp__box__run_program", { program: "git", arguments: ["push", "-f"] }, "git push -f"],
    ["mcp__box__run_commands", { commands: ["ls", "git push -f"] }, ["ls", "git push -f"]],
    ["mcp__box__run_commands", { commands: [{ command: "rm", args: ["a"] }, ["rm", "b"]] }, ["rm a", "rm b"]],
    ["mcp__desk__start_process", { command: "git push -f", timeout_ms: 1 }, "git push -f"],
    ["mcp__desk__interact_with_process", { pid: 1, input: "git push -f" }, "git push -f"],
    ["mcp__tmux__send_keys", { keys: "git push -f" }, "git push -f"],
    ["mcp__db__execute_sql", { sql: "DROP TABLE users" }, "psql -c 'DROP TABLE users'"],
    ["mcp__postgres__query", { query: "DROP TABLE users" }, "psql -c 'DROP TABLE users'"],
    ["mcp__supabase__apply_migration", { query: "it's" }, "psql -c 'it'\\''s'"],
    ["mcp__pg__query", { query: "select 1" }, "psql -c 'select 1'"],
    ["mcp__warehouse__run_query", { query: "drop table users" }, "psql -c 'drop table users'"],
    ["mcp__neon__run_sql", { params: { sql: "drop table x" } }, "psql -c 'drop table x'"],
    ["mcp__x__execute", { statements: ["select 1", "drop table x"] }, "psql -c 'select 1; drop table x'"],
    ["mcp__mongo__execute", { command: "db.dropDatabase()" }, "mongosh --eval 'db.dropDatabase()'"],
    ["mcp__box__run_command", { params: { command: "git push -f" } }, "git push -f"],
    ["mcp__box__run_shell", { shell_command: "git push -f" }, "git push -f"],
    ["mcp__box__bash", { input: "git push -f" }, "git push -f"],
    ["mcp__docs__run_search", { input: { text: "git push -f" } }, null],
    ["mcp__docs__query", { query: "drop in replacement for table" }, null],
    ["mcp__docs__search", { query: "drop table users" }, null],
    ["mcp__docs__query_docs", { query: "drop table" }, null],
    ["mcp__slack__send_message", { text: "git push -f" }, null],
    ["mcp__box__run_app", { program: "vim" }, null],
    ["mcp__runner__describe", { code: "rm .env" }, null],
    ["mcp__db__truncate", { script: "x" }, null],
    ["mcp__notes__add", { command: "rm .env" }, null],
  ])("%s %j", (name, input, command) => {
    expect(serverCommands(name, input)).toEqual(command === null ? null : [command].flat());
  });
});

describe("what a tool of an MCP server changes", () => {
  const patch = "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A=1\n+A=2\n";
  const codex = "*** Begin Patch\n*** Delete File: .env\n*** End Patch";
  test.each([
    ["mcp__fs__write_file", { patch }, { kind: "patch", patch }],
    ["mcp__fs__applyDiff", { diff: codex, dry_run: false }, { kind: "patch", patch: codex }],
    ["mcp__fs__apply_diff", { path: "a.ts", diff: patch }, { kind: "mcp", paths: ["a.ts"] }],
    ["mcp__fs__read_patch", { patch }, { kind: "mcp", paths: [] }],
    ["mcp__hub__update_review_comment", { diff: patch }, { kind: "mcp", paths: [] }],
    ["mcp__fs__write_file", { content: "x" }, { kind: "mcp", paths: [] }],
    ["mcp__fs__move_file", { from: "a.ts", to: ".env" }, { kind: "mcp", paths: ["a.ts", ".env"] }],
    ["mcp__fs__edit_file", { from: "a.ts", to: ".env" }, { kind: "mcp", paths: [] }],
  ])("%s %j", (name, input, tool) => {
    expect(serverTool(name, input)).toEqual({ name, input, ...tool });
  });
});

test.each([
  [{ params: { path: ".env", content: "x" } }, [".env"]],
  [{ request: { args: { absolute_path: "/home/dev/app/.env" } } }, ["/home/dev/app/.env"]],
  [{ pathInProject: ".env", projectPath: "/home/dev/app" }, [".env"]],
])("arguments that come as one object are looked into: %j", (input, paths) => {
  expect(serverTool("mcp__fs__write_file", input)).toMatchObject({ kind: "mcp", input, paths });
});
