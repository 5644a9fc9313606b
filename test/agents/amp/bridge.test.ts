import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error the bridge is plain JavaScript: it is shipped as text and runs inside Amp
import bridge from "../../../src/agents/amp/bridge.js";

// The bridge with a real child process behind it: a small program in Holdfast's place that notes what it is asked
// and answers what the test says. Amp's plugin API is stood in for, as its manual has it (0.0.1790142911).
let home: string;
let toasts: string[];
let dialogs: Record<string, unknown>[];
let answer: boolean | Error;
const before = { ...process.env };

type Handler = (event: Record<string, unknown>, ctx: unknown) => Promise<unknown>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "holdfast-bridge-"));
  process.env.HOLDFAST_HOME = home;
  mkdirSync(join(home, "bin"));
  toasts = [];
  dialogs = [];
  answer = true;
});

afterEach(() => {
  process.env = { ...before };
  rmSync(home, { recursive: true, force: true });
});

const call = { toolUseID: "toolu_1", tool: "Bash", input: { cmd: "git push -f" }, thread: { id: "T-1" } };

describe("the Amp bridge", () => {
  it("refuses with the reason, and passes on what Amp's helpers say of the call", async () => {
    answers('{"decision":"deny","reason":"No.","messages":["Look."]}');
    expect(await start()["tool.call"]?.(call, context())).toEqual({
      action: "reject-and-continue",
      message: "No.",
    });
    expect(toasts).toEqual(["Look."]);
    expect(asked()).toEqual([
      {
        argv: "hook amp pre-tool",
        name: "tool.call",
        event: call,
        command: { command: "git push -f" },
        files: [],
        root: home,
      },
    ]);
  });

  it("says allow on a silent answer, as no answer would stop the thread", async () => {
    answers("");
    expect(await start()["tool.call"]?.(call, context())).toEqual({ action: "allow" });
  });

  it.each([
    ["prints rubbish", "echo oops"],
    ["dies", "kill -9 $$"],
  ])("says allow when Holdfast %s", async (_, script) => {
    program(script);
    expect(await start()["tool.call"]?.(call, context())).toEqual({ action: "allow" });
  });

  it("says allow when Amp's helpers throw, and leaves a note", async () => {
    answers("");
    const broken = () => {
      throw new Error("no such tool");
    };
    const handlers = start({ shellCommandFromToolCall: broken, filesModifiedByToolCall: broken });
    expect(await handlers["tool.call"]?.(call, context())).toEqual({ action: "allow" });
    expect(readFileSync(join(home, "breadcrumbs.log"), "utf8")).toMatch(/"agent":"amp".*no such tool/);
  });

  it("asks the person, and only a person, and lets the call through when they agree", async () => {
    answers('{"decision":"ask","reason":"Sure?"}');
    expect(await start()["tool.call"]?.(call, context())).toEqual({ action: "allow" });
    expect(dialogs).toEqual([
      {
        title: "Holdfast",
        message: "Sure?\n\n    git push -f",
        confirmButtonText: "Run it",
        requireHuman: true,
      },
    ]);
  });

  it.each([
    ["the person says no", false, /^Sure\?\nThe person was asked and did not agree\./],
    ["there is nobody to ask", new Error("no UI"), /^Sure\?\nThere is nobody to confirm this here\./],
  ] as const)("refuses when %s", async (_, given, message) => {
    answer = given;
    answers('{"decision":"ask","reason":"Sure?"}');
    expect(await start()["tool.call"]?.(call, context())).toEqual({
      action: "reject-and-continue",
      message: expect.stringMatching(message),
    });
  });

  it("writes a new command where the old one was", async () => {
    answers('{"decision":"allow","rewrite":{"command":"ls"}}');
    expect(await start()["tool.call"]?.(call, context())).toEqual({ action: "modify", input: { cmd: "ls" } });
  });

  it("sends the agent back when a turn is done, never a subagent or a turn that failed", async () => {
    answers('{"decision":"continue","reason":"Two tests fail."}');
    const end = start()["agent.end"];
    const done = { id: "m", message: "hi", messages: [], status: "done", thread: { id: "T-1" } };
    expect(await end?.(done, context("T-0"))).toBe(undefined);
    expect(await end?.({ ...done, status: "error" }, context())).toBe(undefined);
    expect(asked()).toEqual([]);
    expect(await end?.(done, context())).toEqual({
      action: "continue",
      userMessage: "Two tests fail.",
      maxContinuations: 20,
    });
  });
});

function start(helpers: Record<string, unknown> = {}): Partial<Record<string, Handler>> {
  const handlers: Record<string, Handler> = {};
  bridge({
    on: (name: string, handler: Handler) => {
      handlers[name] = handler;
    },
    system: { workspaceRoot: `file://${home}` },
    helpers: {
      filePathFromURI: (uri: string) => uri.replace("file://", ""),
      shellCommandFromToolCall: (event: { input: { cmd?: string } }) =>
        event.input.cmd === undefined ? null : { command: event.input.cmd },
      filesModifiedByToolCall: () => null,
      ...helpers,
    },
  });
  return handlers;
}

function context(parent: string | null = null) {
  return {
    thread: { parentThreadID: async () => parent },
    ui: {
      notify: async (message: string) => void toasts.push(message),
      confirm: async (dialog: Record<string, unknown>) => {
        dialogs.push(dialog);
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  };
}

function answers(json: string): void {
  program(`{ printf '%s\\n' "$*"; cat; echo; } >> "${home}/asked"\nprintf '%s' '${json}'`);
}

function program(script: string): void {
  const file = join(home, "bin/holdfast");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function asked(): Record<string, unknown>[] {
  const file = join(home, "asked");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.flatMap((line, index) =>
    index % 2 === 0 ? [{ argv: line, ...JSON.parse(lines[index + 1] ?? "{}") }] : [],
  );
}
