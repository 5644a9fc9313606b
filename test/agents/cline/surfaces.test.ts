import { describe, expect, it } from "vitest";
import { agent } from "../../../src/agents/cline/index.ts";
import type { Event } from "../../../src/core/event.ts";
import { verdict } from "../../../src/core/verdict.ts";

// Cline's CLI, its plugin and its editor extensions speak three dialects. The recorded payloads cover the CLI;
// the extensions' (source: 4.1.13) and the CLI's less usual forms are here.
const call = { event: "pre-tool", argv: [], env: {}, cwd: "/p" };

function parse(payload: unknown, argv: readonly string[] = []): Event | null {
  return agent.parse(payload, { ...call, argv });
}

function cli(name: string, input: unknown) {
  return {
    hookName: "tool_call",
    sessionContext: { rootSessionId: "s1" },
    workspaceRoots: ["/p"],
    agent_id: "a",
    parent_agent_id: null,
    tool_call: { id: "c", name, input },
  };
}

function editor(toolName: string, parameters: Record<string, string>) {
  return {
    clineVersion: "4.1.13",
    hookName: "PreToolUse",
    taskId: "t1",
    workspaceRoots: ["/p", "/q"],
    preToolUse: { toolName, parameters },
  };
}

describe("run_commands, in every form the tool takes", () => {
  it.each([
    [{ commands: ["a", "b"] }, ["a", "b"]],
    [{ commands: "a" }, ["a"]],
    [{ commands: [{ command: "rm", args: ["-rf", "it's"] }] }, ["rm '-rf' 'it'\\''s'"]],
    [{ command: "a" }, ["a"]],
    [{ cmd: "a" }, ["a"]],
    [{ commands: ["a"], command: "b" }, ["a", "b"]],
    [
      ["a", { command: "b" }],
      ["a", "b"],
    ],
    ["a", ["a"]],
    [{ other: 1 }, []],
  ])("%j", (input, commands) => {
    const event = parse(cli("run_commands", input));
    expect(event !== null && "tool" in event ? event.tool : null).toMatchObject({ kind: "shell", commands });
  });
});

it("reads a patch that is the whole input", () => {
  const event = parse(cli("apply_patch", "*** Begin Patch"));
  expect(event).toMatchObject({ tool: { kind: "patch", patch: "*** Begin Patch" } });
});

describe("the editor extension's payload", () => {
  it("has its lists packed into texts", () => {
    expect(parse(editor("run_commands", { commands: '["git push --force"]' }))).toEqual({
      agent: "cline",
      native: "PreToolUse",
      session: "t1",
      cwd: "/p",
      projectHint: null,
      subagent: false,
      name: "pre-tool",
      callId: null,
      tool: {
        kind: "shell",
        name: "run_commands",
        input: { commands: ["git push --force"] },
        commands: ["git push --force"],
        workdir: null,
      },
    });
  });

  it("keeps a file's text that happens to be a list", () => {
    const event = parse(editor("editor", { path: "a.json", new_text: "[1]" }));
    expect(event).toMatchObject({
      tool: { kind: "edit", input: { path: "a.json", new_text: "[1]" }, paths: ["a.json"] },
    });
  });

  it("may name tools of older versions", () => {
    expect(parse(editor("execute_command", { command: "ls" }))).toMatchObject({ tool: { kind: "shell" } });
    expect(parse(editor("write_to_file", { path: ".env" }))).toMatchObject({
      tool: { kind: "write", paths: [".env"] },
    });
  });
});

describe("while the CLI's plugin is awake", () => {
  it("the script leaves MCP tools to it, and nothing else", () => {
    expect(parse(cli("notes__save", { path: ".env" }), ["plugin"])).toBe(null);
    expect(parse(cli("notes__save", { path: ".env" }))).toMatchObject({
      tool: { kind: "mcp", paths: [".env"] },
    });
    expect(parse(cli("editor", { path: ".env" }), ["plugin"])).toMatchObject({ tool: { kind: "edit" } });
    expect(parse(cli("submit_and_exit", { summary: "all done" }), ["plugin"])).toMatchObject({
      name: "turn-end",
    });
  });
});

describe("a refusal", () => {
  const deny = verdict({ decision: "deny", reason: "No.", context: ["And mind this."] });
  const answer = (payload: unknown) => {
    const event = parse(payload);
    return event === null ? null : JSON.parse(agent.reply(deny, event).stdout);
  };

  it("lets the CLI's run go on: the tool turns down its empty input", () => {
    for (const tool of ["editor", "run_commands", "apply_patch"]) {
      expect(answer(cli(tool, { path: "a", commands: ["a"], input: "a" }))).toEqual({
        overrideInput: {},
        contextModification: "No.\n\nAnd mind this.",
      });
    }
  });

  it("ends the run for an MCP tool, whose server would get the empty input", () => {
    expect(answer(cli("notes__save", { path: ".env" }))).toEqual({ cancel: true, errorMessage: "No." });
  });

  it("ends the task in the editor, which takes no other input", () => {
    expect(answer(editor("editor", { path: ".env" }))).toEqual({ cancel: true, errorMessage: "No." });
  });

  it("is carried out by the plugin itself", () => {
    const payload = { ...cli("notes__save", { path: ".env" }), hookName: "beforeTool" };
    expect(answer(payload)).toMatchObject({ decision: "deny", reason: "No." });
  });
});

it("gives the editor no rewrite, which it would not understand", () => {
  const rewrite = verdict({ rewrite: { path: "b" } });
  const [inEditor, inCli] = [parse(editor("editor", { path: "a" })), parse(cli("editor", { path: "a" }))];
  expect(inEditor && agent.reply(rewrite, inEditor).stdout).toBe("");
  expect(inCli && agent.reply(rewrite, inCli).stdout).toBe('{"overrideInput":{"path":"b"}}\n');
});
