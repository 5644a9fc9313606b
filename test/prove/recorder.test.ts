import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agent } from "../../src/agents/claude-code/index.ts";
import { readRecorded, readShapes, recordPayloads, type Shapes } from "../../src/prove/recorder.ts";
import type { Theatre } from "../../src/prove/stage.ts";

let folder = "";
let theatre: Theatre;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "prove 'recorder' -"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  const root = mkdtempSync(join(folder, "stage-"));
  const home = join(root, "home");
  theatre = { root, home, project: join(root, "project"), remote: "", env: {}, remove: () => {} };
});

const bash = {
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls", description: "List" },
};
const bashShape = {
  "": "object",
  hook_event_name: "string",
  session_id: "string",
  tool_input: "object",
  "tool_input.command": "string",
  "tool_input.description": "string",
  tool_name: "string",
};
const known: Shapes = { version: "1.0.0", events: { "PreToolUse Bash": bashShape } };

describe("the recorder", () => {
  it("changes nothing about a call: arguments, payload, answer and exit code are the launcher's", () => {
    writeLauncher('printf "%s|" "$@"; cat; echo stopped >&2; exit 2');
    recordPayloads(theatre);
    expect(hook("pre-tool", '{"a": "é"}')).toEqual({
      stdout: 'hook|claude-code|pre-tool|{"a": "é"}',
      stderr: "stopped\n",
      status: 2,
    });
    expect(call(["doctor"], "")).toMatchObject({ stdout: "doctor|", status: 2 });
  });

  it("keeps every payload by the agent's own name for the event and the tool", () => {
    writeLauncher("cat > /dev/null");
    recordPayloads(theatre);
    hook("pre-tool", JSON.stringify(bash));
    hook("turn-end", JSON.stringify({ hook_event_name: "Stop", session_id: "s" }));
    hook("pre-tool", "no JSON at all");
    call(["doctor"], "");
    expect(readRecorded(agent, theatre, "1.0.0", null)).toEqual({
      shapes: {
        version: "1.0.0",
        events: {
          "PreToolUse Bash": bashShape,
          Stop: { "": "object", hook_event_name: "string", session_id: "string" },
        },
      },
      comparedWith: null,
      failures: [],
      notes: [],
    });
  });

  it("has nothing to stand in front of when there is no launcher", () => {
    recordPayloads(theatre);
    expect(readRecorded(agent, theatre, "1.0.0", null).shapes.events).toEqual({});
  });
});

describe("what was recorded, compared with what is known", () => {
  beforeEach(() => {
    writeLauncher("cat > /dev/null");
    recordPayloads(theatre);
  });

  it("says nothing of the same shape, and adds what is new to it at the same version", () => {
    hook("pre-tool", JSON.stringify({ ...bash, permission_mode: "default" }));
    expect(readRecorded(agent, theatre, "1.0.0", known)).toEqual({
      shapes: {
        version: "1.0.0",
        events: { "PreToolUse Bash": { ...bashShape, "permission_mode?": "string" } },
      },
      comparedWith: "1.0.0",
      failures: [],
      notes: ["PreToolUse Bash: permission_mode is new: a string"],
    });
  });

  it("fails on what the parser would trip over, tells the rest, and starts anew at another version", () => {
    const { session_id, tool_input, ...rest } = bash;
    const later = { ...rest, session_id, tool_input: { cmd: tool_input.command } };
    hook("pre-tool", JSON.stringify(later));
    expect(readRecorded(agent, theatre, "2.0.0", known)).toEqual({
      shapes: {
        version: "2.0.0",
        events: {
          "PreToolUse Bash": {
            "": "object",
            hook_event_name: "string",
            session_id: "string",
            tool_input: "object",
            "tool_input.cmd": "string",
            tool_name: "string",
          },
        },
      },
      comparedWith: "1.0.0",
      failures: ["PreToolUse Bash: tool_input.command is missing"],
      notes: [
        "PreToolUse Bash: tool_input.description is missing",
        "PreToolUse Bash: tool_input.cmd is new: a string",
      ],
    });
  });

  it("fails on an event that is no longer sent, and tells of a tool that is new", () => {
    hook("pre-tool", JSON.stringify({ ...bash, tool_name: "Shell" }));
    const stop = { "": "object", hook_event_name: "string" };
    const before = { ...known, events: { ...known.events, Stop: stop } };
    const { shapes, failures, notes } = readRecorded(agent, theatre, "1.0.0", before);
    expect([Object.keys(shapes.events), failures, notes]).toEqual([
      ["PreToolUse Bash", "PreToolUse Shell", "Stop"],
      ["Stop: was never sent"],
      ["PreToolUse Shell: was not seen before"],
    ]);
  });
});

describe("a file of shapes", () => {
  it("is read as it was written, and is none when it holds something else", () => {
    const file = join(theatre.root, "shapes.json");
    expect(readShapes(file)).toBeNull();
    writeFileSync(file, JSON.stringify(known));
    expect(readShapes(file)).toEqual(known);
    for (const text of ["", "[]", '{"events": {}}']) {
      writeFileSync(file, text);
      expect(readShapes(file)).toBeNull();
    }
  });
});

function writeLauncher(script: string): void {
  const bin = join(theatre.home, ".holdfast", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "holdfast"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function hook(event: string, payload: string) {
  return call(["hook", "claude-code", event], payload);
}

function call(args: readonly string[], input: string) {
  const program = join(theatre.home, ".holdfast", "bin", "holdfast");
  const { stdout, stderr, status } = spawnSync(program, args, { input, encoding: "utf8" });
  return { stdout, stderr, status };
}
