import { describe, expect, test } from "vitest";
import { type ClaudeLike, parseClaudeLike } from "../../src/agents/_family/claude-like.ts";

const like: ClaudeLike = {
  agent: "test",
  events: { PreToolUse: "pre-tool" },
  tools: { Bash: { kind: "shell", command: ["command"] } },
};

function toolOf(name: string, input: unknown): unknown {
  const call = { argv: [], env: {}, event: null, cwd: "/home/dev/app" };
  const payload = { hook_event_name: "PreToolUse", tool_name: name, tool_input: input };
  const event = parseClaudeLike(payload, call, like);
  if (event?.name !== "pre-tool") return null;
  const { tool } = event;
  return tool.kind === "shell" ? { kind: tool.kind, commands: tool.commands } : { ...tool, input: undefined };
}

describe("commands that arrive as a list of words", () => {
  test.each([
    [["bash", "-lc", "echo x > .env"], "echo x > .env"],
    [["/bin/sh", "-c", "rm -rf .."], "rm -rf .."],
    [["rm", "-rf", "a b", "it's"], "rm -rf 'a b' 'it'\\''s'"],
    [["bash", "-c", "echo x > $0", ".env"], "bash -c 'echo x > $0' .env"],
    [["echo x > .env"], "echo x > .env"],
    ["ls", "ls"],
  ])("%j", (command, line) => {
    expect(toolOf("Bash", { command })).toEqual({ kind: "shell", commands: [line] });
  });
});

describe("tools of MCP servers", () => {
  test.each([
    ["mcp__desk__execute_command", { command: "rm -rf .." }, "rm -rf .."],
    ["mcp__box__run", { cmd: ["sh", "-c", "rm -rf .."] }, "rm -rf .."],
    ["mcp__box__terminal_send", { tool_input: { cmd: "ls" } }, "ls"],
  ])("%s runs a shell", (name, input, line) => {
    expect(toolOf(name, input)).toEqual({ kind: "shell", commands: [line] });
  });

  test("others show their paths", () => {
    const found = [
      toolOf("mcp__files__replace", { command: "view", relative_path: ".env" }),
      toolOf("mcp__files__replace", { relativePath: "a", relative_workspace_path: "b" }),
    ];
    const name = "mcp__files__replace";
    expect(found).toEqual([
      { kind: "mcp", name, input: undefined, paths: [".env"] },
      { kind: "mcp", name, input: undefined, paths: ["a", "b"] },
    ]);
  });
});
