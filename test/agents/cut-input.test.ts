import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutInput, withoutGap } from "../../src/agents/_family/cut-input.ts";
import { agents } from "../../src/agents/index.ts";
import { cutMark } from "../../src/core/cut.ts";
import type { ToolEvent } from "../../src/core/event.ts";
import type { Tool } from "../../src/core/tool.ts";

describe("arguments whose end was cut off", () => {
  it("keeps whole texts, marks the cut one, and says that something may be missing", () => {
    expect(cutInput('{"file_path":"/p/.env", "content":"a\\nb\\u00e9\\')).toEqual({
      file_path: "/p/.env",
      content: `a\nbé${cutMark}`,
      [cutMark]: true,
    });
  });

  it("stops at what it cannot see through", () => {
    expect(cutInput('{"a":1,"b":true,"list":["x","y"],"c":"z')).toEqual({
      a: "1",
      b: "true",
      [cutMark]: true,
    });
  });

  it("never shows a text that was not there, wherever the cut falls", () => {
    const anything = fc.string({ unit: "binary", maxLength: 20 });
    fc.assert(
      fc.property(fc.dictionary(anything, anything, { maxKeys: 4 }), fc.nat(), (input, at) => {
        const json = JSON.stringify(input);
        const cut = json.slice(0, at % (json.length + 1));
        for (const [key, value] of Object.entries(withoutGap(cutInput(cut)))) {
          if (value === input[key]) continue;
          const seen = String(value).slice(0, -cutMark.length);
          expect(String(value).endsWith(cutMark)).toBe(true);
          expect(input[key]?.startsWith(seen)).toBe(true);
        }
      }),
    );
  });
});

// Grok hands on the first 128 KiB of a call's arguments as text. Sizes stand in for that here.
describe("Grok's large calls", () => {
  it("names the file when it came first, and lacks nothing then", () => {
    expect(toolOf("write", '{"file_path":"/p/.env","content":"xxxx [truncated]')).toEqual({
      kind: "write",
      name: "write",
      input: { file_path: "/p/.env", content: `xxxx [truncated]${cutMark}` },
      paths: ["/p/.env"],
    });
  });

  it("marks what is missing when the name of the file was cut off", () => {
    expect(toolOf("write", '{"content":"xxxx [truncated]')).toEqual({
      kind: "write",
      name: "write",
      input: { content: `xxxx [truncated]${cutMark}`, [cutMark]: true },
      paths: [],
    });
  });

  it("marks a command that was cut off", () => {
    expect(toolOf("run_terminal_command", '{"command":"echo x [truncated]')).toEqual({
      kind: "shell",
      name: "run_terminal_command",
      input: { command: `echo x [truncated]${cutMark}`, [cutMark]: true },
      commands: [`echo x [truncated]${cutMark}`],
      workdir: null,
    });
  });
});

function toolOf(toolName: string, toolInput: string): Tool {
  const payload = { hook_event_name: "PreToolUse", toolName, toolInput, toolInputTruncated: true };
  const event = agents.grok.parse(payload, { event: null, argv: [], env: {}, cwd: "/p" });
  return (event as ToolEvent).tool;
}
