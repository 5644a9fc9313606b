import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentIds } from "../../src/agents/ids.ts";
import { agents } from "../../src/agents/index.ts";
import type { Agent, Reply } from "../../src/core/agent.ts";
import { readPayload } from "../../src/runtime/payload.ts";
import type { Obey, Outcome } from "../conformance/outcome.ts";
import { bundle } from "../setup/bundle.ts";

// The bundled hook, as agents start it, fed with everything an agent should never send. Whatever comes in:
// an answer the agent understands, no stack trace, no crash, no hang.

const testRoot = join(dirname(fileURLToPath(import.meta.url)), "..");
const megabyte = 1024 * 1024;
let base = "";
let project = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-fuzz-")));
  project = join(base, "project");
  mkdirSync(join(project, "secrets"), { recursive: true });
  writeFileSync(join(project, "file"), "x");
  execFileSync("git", ["init", "-q", project]);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** Seconds of processor time after which the system ends the hook: a hang, however busy the machine is. */
const mostSeconds = 5;

function hook(id: string, event: string, input: Buffer | string): Reply {
  const run = spawnSync(
    "/bin/sh",
    ["-c", `ulimit -t ${mostSeconds}; exec "$@"`, "sh", process.execPath, bundle(), "hook", id, event],
    {
      cwd: project,
      input,
      env: { PATH: process.env.PATH, HOME: base, LANG: "C.UTF-8", TMPDIR: base },
      maxBuffer: 16 * megabyte,
    },
  );
  // A hook need not read what it does not want.
  const error = (run.error as NodeJS.ErrnoException | undefined)?.code;
  expect({ signal: run.signal, error }).toEqual({
    signal: null,
    error: error === "EPIPE" ? error : undefined,
  });
  return { stdout: String(run.stdout), stderr: String(run.stderr), exitCode: run.status ?? -1 };
}

/** Runs the hook and reads its answer by the agent's own rules, which throw on anything they do not know. */
async function outcome(
  id: (typeof agentIds)[number],
  native: string,
  input: Buffer | string,
): Promise<Outcome | null> {
  const agent: Agent = agents[id];
  const reply = hook(id, native, input);
  expect(reply.stderr).not.toMatch(/^\s+at |\.[cm]?[jt]s:\d+|Error:/m);
  expect(reply.stderr === "" || reply.stderr.startsWith("holdfast: ")).toBe(true);
  expect(reply.stderr.split("\n").length).toBeLessThanOrEqual(4);
  const call = { event: native, argv: [], env: {}, cwd: project };
  const [document] = agent.payload === "none" ? [{}] : readPayload(Buffer.from(input)).documents;
  const event = document === undefined ? null : agent.parse(document, call);
  if (event === null) {
    expect({ stdout: reply.stdout, exitCode: reply.exitCode }).toEqual({ stdout: "", exitCode: 0 });
    return null;
  }
  const { obey } = (await import(join(testRoot, "agents", id, "obey.ts"))) as { obey: Obey };
  return obey(id === "git" ? reply : { ...reply, stderr: "" }, event);
}

/** One real call per agent that reads stdin: before a tool runs. */
const natives: Readonly<Record<string, string>> = {
  "claude-code": "PreToolUse",
  codex: "PreToolUse",
  opencode: "tool.execute.before",
};

const readers = agentIds.filter((id) => id in natives);

/** A call of the agent's own shape that writes or runs something. */
function call(
  id: string,
  tool: "write" | "shell",
  argument: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (id === "opencode") {
    const event = "tool.execute.before";
    return {
      event,
      tool: tool === "shell" ? "bash" : "write",
      args: argument,
      sessionID: "s",
      callID: "c",
      directory: project,
    };
  }
  const named = { tool_name: tool === "shell" ? "Bash" : "mcp__files__write", tool_input: argument };
  return { session_id: "s", cwd: project, hook_event_name: "PreToolUse", ...named, tool_use_id: "c" };
}

function writing(id: string, path: string, content: string): Record<string, unknown> {
  return call(id, "write", { content, filePath: path });
}

/** The payload as text, with `hole` filled by raw JSON: too large to be built as a value. */
function filled(value: unknown, filler: Buffer): Buffer {
  const [before = "", after = ""] = JSON.stringify(value).split('"hole"');
  return Buffer.concat([Buffer.from(before), filler, Buffer.from(after)]);
}

const fillers: readonly (readonly [name: string, before: string, unit: string, after: string])[] = [
  ["one text", '"', "a", '"'],
  ["escapes", '"', '\\"', '"'],
  ["numbers", "[", "1,", "1]"],
  ["objects", "[", '{"a":{}},', "1]"],
];

describe.each(readers)("the hook of %s", (id) => {
  const native = natives[id] ?? "";

  it("refuses what it should when the payload is whole", async () => {
    const denied = await outcome(id, native, JSON.stringify(writing(id, ".env", "A=1")));
    expect(denied?.effect).toBe("blocked");
    expect(await outcome(id, native, JSON.stringify(writing(id, "a.txt", "A=1")))).toMatchObject({
      effect: "goes-on",
    });
  });

  it.each([
    ["nothing", ""],
    ["blanks", " \n"],
    ["a NUL", "\0"],
    ["half a brace", "{"],
    ["a list", "[]"],
    ["a number", "42"],
    ["prose", "Traceback (most recent call last):"],
    ["a lone surrogate", '{"tool_name":"\\ud800","tool_input":{"command":"\\udfff"}}'],
    ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x22, 0x3a, 0x31, 0x7d])],
    ["brackets without end", "[".repeat(megabyte)],
    ["nested objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["a prototype", '{"__proto__":{"tool_name":"x"},"constructor":null,"toString":1,"hasOwnProperty":2}'],
    [
      "wrong types",
      '{"hook_event_name":[],"event":{},"tool_name":7,"tool":null,"tool_input":"x","args":[1],"cwd":false,"directory":{}}',
    ],
    [
      "numbers for texts",
      '{"hook_event_name":1e999,"session_id":-0,"cwd":123,"tool_input":{"command":["rm",".env"],"file_path":9}}',
    ],
    [
      "no such directory",
      '{"cwd":"/nowhere/at/all","directory":"/nowhere","tool_input":{"command":"ls"},"args":{"command":"ls"}}',
    ],
    [
      "a NUL in the directory",
      '{"cwd":"/tmp\\u0000/x","directory":"/\\u0000","tool_name":"Bash","tool":"bash","tool_input":{"command":"ls"},"args":{"command":"ls"}}',
    ],
    [
      "a relative directory",
      '{"cwd":"../..","directory":".","tool_name":"Bash","tool":"bash","tool_input":{"command":"ls"},"args":{"command":"ls"}}',
    ],
    ["an endless directory", `{"cwd":"/${"a/".repeat(500)}","directory":"/${"a".repeat(100_000)}"}`],
    [
      "a session that is a path",
      '{"session_id":"../../../../etc/passwd\\u0000","sessionID":"../../x","tool_name":"Bash"}',
    ],
  ])("survives %s", async (_, input) => {
    const seen = await outcome(id, native, input);
    expect(["goes-on", "blocked", "asks", undefined]).toContain(seen?.effect);
  });

  it("survives payloads of its own that were changed at random", async () => {
    const fixtures = join(testRoot, "agents", id, "fixtures");
    const whole = [
      ...readdirSync(fixtures, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".json"))
        .map((name) => readFileSync(join(fixtures, name))),
      Buffer.from(JSON.stringify(writing(id, ".env", "A=1"))),
      Buffer.from(JSON.stringify(call(id, "shell", { command: "rm -rf / && echo 'x' > .env" }))),
    ];
    const change = fc.tuple(
      fc.nat(),
      fc.nat(40),
      fc.oneof(
        fc.uint8Array({ maxLength: 6 }),
        fc.constantFrom(...'{}[]":,\\'.split("").map((char) => Buffer.from(char))),
      ),
    );
    const changed = fc.tuple(
      fc.constantFrom(...whole),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
    );
    const events = [
      ...Object.keys(agents[id].events),
      ...new Set(Object.values(agents[id].events)),
      "nonsense",
      "",
    ];
    await fc.assert(
      fc.asyncProperty(changed, fc.constantFrom(...events), async ([bytes, changes, isCutShort], event) => {
        let text = bytes;
        for (const [at, drop, put] of changes) {
          const from = at % (text.length + 1);
          text = Buffer.concat([text.subarray(0, from), put, text.subarray(from + drop)]);
        }
        await outcome(id, event, isCutShort ? text.subarray(0, text.length / 2) : text);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it("still refuses when the payload breaks off behind the path", async () => {
    const text = JSON.stringify(writing(id, ".env", "A=1")).replace(/"content":"A=1",/, "");
    const behind = text.indexOf('.env"') + 5;
    for (const end of [behind, behind + 1, text.length - 1]) {
      expect((await outcome(id, native, text.slice(0, end)))?.effect).toBe("blocked");
    }
  });

  it("still refuses when a key is named twice", async () => {
    const text = JSON.stringify(writing(id, "a.txt", "A=1"));
    for (const twice of [
      '"filePath":".env","filePath":"a.txt"',
      '"filePath":"a.txt","file\\u0050ath":".env"',
    ]) {
      expect((await outcome(id, native, text.replace('"filePath":"a.txt"', twice)))?.effect).toBe("blocked");
    }
  });

  it.each(id === readers[0] ? fillers : fillers.slice(0, 1))(
    "finds the path behind a hundred megabytes of %s",
    async (_, before, unit, after) => {
      const size = 100 * megabyte;
      const filler = Buffer.alloc(size - (size % unit.length), unit);
      const hole = Buffer.concat([Buffer.from(before), filler, Buffer.from(after)]);
      expect((await outcome(id, native, filled(writing(id, ".env", "hole"), hole)))?.effect).toBe("blocked");
    },
  );

  it("goes on, carefully, when a hundred megabytes of brackets never close", async () => {
    const hole = Buffer.alloc(100 * megabyte, "[");
    const seen = await outcome(id, native, filled(writing(id, ".env", "hole"), hole));
    expect(["asks", "blocked"]).toContain(seen?.effect);
  });

  it("follows a path of a hundred thousand folders", async () => {
    const to = async (path: string) =>
      (await outcome(id, native, JSON.stringify(writing(id, path, "x"))))?.effect;
    expect(await to(`${"a/".repeat(100_000)}x`)).toBe("goes-on");
    expect(await to(`${"a/../".repeat(100_000)}.env`)).toBe("blocked");
    expect(await to(`${"a/".repeat(100_000)}.env`)).toBe("blocked");
  });

  it("lets no command through that is too large to be checked to its end", async () => {
    const filler = Buffer.concat([
      Buffer.from('"echo '),
      Buffer.alloc(20 * megabyte, "a"),
      Buffer.from('; rm .env"'),
    ]);
    const seen = await outcome(id, native, filled(call(id, "shell", { command: "hole" }), filler));
    expect(["asks", "blocked"]).toContain(seen?.effect);
  });
});

describe("the hook of git", () => {
  it.each([
    ["nothing", ""],
    ["a payload", '{"cwd":"/"}'],
    ["a hundred megabytes", Buffer.alloc(100 * megabyte, "x")],
  ])("does not read %s", async (_, input) => {
    expect((await outcome("git", "pre-commit", input))?.effect).toBe("goes-on");
    expect(await outcome("git", "nonsense", input)).toBeNull();
  });
});

describe("a call of an unknown agent", () => {
  it("is answered with a warning and nothing else", () => {
    for (const id of ["", "nobody", "__proto__", "constructor", "../x"]) {
      const reply = hook(id, "PreToolUse", "{}");
      expect(reply).toMatchObject({ stdout: "", exitCode: 0 });
      expect(reply.stderr).toMatch(/^holdfast: unknown agent/);
    }
  });
});
