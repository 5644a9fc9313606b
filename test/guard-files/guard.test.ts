import { describe, expect, it } from "vitest";
import { cutMark } from "../../src/core/cut.ts";
import type { Event, ToolEvent } from "../../src/core/event.ts";
import { defaultSettings, type Settings } from "../../src/core/settings.ts";
import type { Tool } from "../../src/core/tool.ts";
import { allow } from "../../src/core/verdict.ts";
import { guard } from "../../src/policies/guard/index.ts";
import { imagined } from "../paths/world.ts";

const base = {
  agent: "claude-code",
  native: "PreToolUse",
  session: "s",
  cwd: "/home/dev/app",
  projectHint: null,
  subagent: false,
};

function preTool(tool: Tool, more: Partial<ToolEvent> = {}): Event {
  return { ...base, name: "pre-tool", callId: "c", tool, ...more };
}

function files(kind: "write" | "edit" | "delete" | "read", ...paths: string[]): Tool {
  return { kind, name: kind, input: {}, paths };
}

function mcp(name: string, ...paths: string[]): Tool {
  return { kind: "mcp", name, input: {}, paths };
}

function judge(tool: Tool, settings: Settings = defaultSettings) {
  return guard(preTool(tool), settings, imagined);
}

const person =
  "Only a person can allow it: by listing it under protect.except in holdfast.yaml, or by making the change themselves. Tell them what you wanted to change and why.";

describe("a tool that changes a protected file", () => {
  it("is refused with the path, the pattern, and how a person allows it", () => {
    expect(judge(files("write", "/home/dev/app/.env"))).toEqual({
      decision: "deny",
      reason: `.env is protected by the pattern ".env". ${person}`,
      by: ["protect"],
      context: [],
      messages: [],
      rewrite: null,
    });
  });

  it("is refused as a whole when one of its files is protected", () => {
    expect(judge(files("edit", "src/a.ts", "secrets/a", "b.key", ".env", "c.pem", "d.pem")).reason).toBe(
      `secrets/a is protected by the pattern "secrets/**" (and 4 more: b.key, .env, c.pem, …). ${person}`,
    );
  });

  it("is told where a link leads", () => {
    const world = { ...imagined, realpath: (path: string) => path.replace("/app/notes", "/app/.env") };
    expect(guard(preTool(files("write", "notes")), defaultSettings, world).reason).toBe(
      `notes (it leads to .env) is protected by the pattern ".env". ${person}`,
    );
  });

  it("may delete no directory that holds protected files", () => {
    expect(judge(files("delete", ".github")).decision).toBe("deny");
    expect(judge(files("write", ".github/CODEOWNERS"))).toEqual(allow);
  });

  it("is judged from the directory the agent reported", () => {
    const tool = files("write", "token");
    const from = (cwd: string | null) => guard(preTool(tool, { cwd }), defaultSettings, imagined).decision;
    expect([from("/home/dev/app/secrets"), from("/home/dev/app"), from(null)]).toEqual([
      "deny",
      "allow",
      "allow",
    ]);
  });

  it("is allowed by an exception or an empty list", () => {
    const except = { ...defaultSettings, protect: { ...defaultSettings.protect, except: [".env.example"] } };
    expect(judge(files("write", ".env.example"), except)).toEqual(allow);
    const open = { ...defaultSettings, protect: { ...defaultSettings.protect, paths: [] } };
    expect(judge(files("write", ".env"), open)).toEqual(allow);
  });
});

describe("a patch", () => {
  const patch = (text: string): Tool => ({ kind: "patch", name: "apply_patch", input: {}, patch: text });

  it.each([
    ["adds", "*** Begin Patch\n*** Add File: .env\n+A=1\n*** End Patch"],
    ["updates among others", "*** Update File: a.ts\n@@\n+x\n*** Update File: secrets/a\n@@\n+x"],
    ["deletes", "*** Delete File: server.pem\n"],
    ["deletes a directory", "*** Delete File: .github\n"],
    ["moves to", "*** Update File: a\n*** Move to: .env.local\n@@\n+x"],
    ["moves away", "*** Update File: migrations/1.sql\n*** Move to: a.sql\n@@\n+x"],
    ["writes as a diff", "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\n"],
  ])("that %s a protected file is refused", (_, text) => {
    expect(judge(patch(text)).decision).toBe("deny");
  });

  it("that touches open files is allowed, whatever its text says", () => {
    expect(judge(patch("*** Update File: docs/env.md\n@@\n+*** Add File: .env\n+secrets/**\n"))).toEqual(
      allow,
    );
  });
});

describe("a tool of an MCP server", () => {
  it.each([
    "mcp__files__write_file",
    "mcp__files__writeFile",
    "mcp__files__edit-file",
    "mcp__x__createfile",
    "files_delete",
    "files.move_file",
    "MoveFile",
    "mcp__x__str_replace",
    "mcp__x__apply_patch",
    "mcp__x__savetext",
  ])("%s changes the paths it is given", (name) => {
    expect(judge(mcp(name, ".env")).decision).toBe("deny");
  });

  it.each([
    "mcp__files__read_file",
    "mcp__editor__open",
    "mcp__write__read",
    "search_files",
    "list_directory",
    "get_file_info",
    "mcp__x__patches_list",
    "mcp__x__compute",
  ])("%s does not", (name) => {
    expect(judge(mcp(name, ".env"))).toEqual(allow);
  });

  it("takes directories along when it deletes or moves", () => {
    expect(judge(mcp("mcp__files__delete_directory", ".github")).decision).toBe("deny");
    expect(judge(mcp("mcp__files__create_directory", ".github"))).toEqual(allow);
  });
});

describe("a shell", () => {
  const shell = (workdir: string | null, ...commands: string[]): Tool => ({
    kind: "shell",
    name: "Bash",
    input: {},
    commands,
    workdir,
  });

  it("is judged command by command, the strongest answer wins", () => {
    expect(judge(shell(null, "ls", "git push --force", "echo A=1 >> .env"))).toMatchObject({
      decision: "deny",
      by: ["protect"],
    });
    expect(judge(shell(null, "ls", "git push --force")).decision).toBe("ask");
    expect(judge(shell(null, "ls", "npm test"))).toEqual(allow);
  });

  it("is judged from the directory of the call, else from the event's", () => {
    const judged = (workdir: string | null, cwd: string) =>
      guard(preTool(shell(workdir, "rm token"), { cwd }), defaultSettings, imagined).decision;
    expect(judged("secrets", "/home/dev/app")).toBe("deny");
    expect(judged("/home/dev/app/src", "/home/dev/app/secrets")).toBe("allow");
    expect(judged(null, "/home/dev/app/secrets")).toBe("deny");
  });

  it("reads a tool for PowerShell as PowerShell, whatever the command looks like", () => {
    const by = (name: string) =>
      judge({ ...shell(null, "function f { git @args }; f push --force"), name }).decision;
    expect(["PowerShell", "powershell", "mcp__win__pwsh", "Bash"].map(by)).toEqual([
      "ask",
      "ask",
      "ask",
      "allow",
    ]);
  });
});

describe("anything else", () => {
  it.each([
    ["a read", files("read", ".env")],
    ["an edit without a path", files("edit")],
    ["an empty path", files("edit", "")],
    ["an open file", files("write", "src/index.ts")],
    ["a fetch", { kind: "web", name: "WebFetch", input: { url: "https://x/.env" }, paths: [".env"] } as Tool],
    ["a subagent", { kind: "agent", name: "Task", input: {}, paths: [".env"] } as Tool],
    ["an unknown tool", { kind: "other", name: "TodoWrite", input: {}, paths: [] } as Tool],
  ])("%s is allowed", (_, tool) => {
    expect(judge(tool)).toEqual(allow);
  });

  it("is none of the guard's business after the tool has run", () => {
    const tool = files("write", ".env");
    for (const name of ["post-tool", "tool-failed", "permission"] as const) {
      expect(guard({ ...base, name, callId: null, tool }, defaultSettings, imagined)).toEqual(allow);
    }
    expect(guard({ ...base, name: "prompt", prompt: ".env" }, defaultSettings, imagined)).toEqual(allow);
    expect(guard({ ...base, name: "pre-commit" }, defaultSettings, imagined)).toEqual(allow);
  });
});

describe("a call whose deciding part was cut off", () => {
  const cut = (text: string) => text + cutMark;
  it("is asked about", () => {
    const asked: Tool[] = [
      { kind: "shell", name: "Bash", input: {}, commands: [cut("echo")], workdir: null },
      { kind: "patch", name: "apply_patch", input: {}, patch: cut("*** Add File: a\n+x") },
      files("write", cut("./././a")),
      { kind: "write", name: "Write", input: { [cutMark]: true }, paths: [] },
      { kind: "mcp", name: "mcp__x__edit", input: { edits: [{ path: "a" }, cutMark] }, paths: [] },
    ];
    for (const tool of asked) expect(judge(tool)).toMatchObject({ decision: "ask", by: ["too-large"] });
  });

  it("is asked about when it names more files than are looked at, unless one of the first is protected", () => {
    const many = Array.from({ length: 1001 }, (_, at) => `src/${at}.ts`);
    const patch = many.map((path) => `*** Delete File: ${path}\n`).join("");
    expect(judge(files("write", ...many)).by).toEqual(["too-large"]);
    expect(judge({ kind: "patch", name: "apply_patch", input: {}, patch }).by).toEqual(["too-large"]);
    expect(judge(files("write", ...many.slice(1)))).toEqual(allow);
    expect(judge(files("write", ".env", ...many)).decision).toBe("deny");
  });

  it("is refused when the part that was seen is enough for that", () => {
    const tool: Tool = {
      kind: "patch",
      name: "apply_patch",
      input: {},
      patch: cut("*** Add File: .env\n+x"),
    };
    expect(judge(tool).decision).toBe("deny");
  });

  it("is no reason to ask when only the content of a file was cut", () => {
    const tool: Tool = { kind: "write", name: "Write", input: { content: cut("x") }, paths: ["a.txt"] };
    expect(judge(tool)).toEqual(allow);
    expect(judge(files("read", cut("a")))).toEqual(allow);
  });
});

describe("on Windows", () => {
  const home = "C:\\Users\\dev";
  const world = {
    ...imagined,
    ...{ root: `${home}\\app`, cwd: `${home}\\app`, home, tmp: [`${home}\\AppData\\Temp`] },
    platform: "win32",
    realpath: (path: string) => path.replaceAll("/", "\\"),
  };

  it.each([
    ["src/a.ts", "allow"],
    [`${home}\\app\\src\\a.ts`, "allow"],
    ["c:/users/dev/app/src/a.ts", "allow"],
    [`${home}\\AppData\\Temp\\x`, "allow"],
    [`${home}\\old.txt`, "ask"],
    ["C:\\Windows\\x.ini", "ask"],
    [".git\\config", "ask"],
    ["secrets\\a", "deny"],
  ])("a file counts by where it lies: %s: %s", (path, said) => {
    const event = preTool(files("write", path), { cwd: world.cwd });
    expect(guard(event, defaultSettings, world).decision).toBe(said);
  });
});
