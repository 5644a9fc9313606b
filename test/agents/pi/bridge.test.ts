import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type StandIn, standIn } from "../stand-in.ts";

type Handler = (event: unknown, ctx: unknown) => Promise<unknown>;

let bridge: (pi: unknown) => void;
let holdfast: StandIn;
let sent: unknown[];
let notices: string[];
let confirmed: { title: string; text: string }[];

// A pi of its own for every test: what the bridge has learnt of one does not hold for the next.
beforeEach(async () => {
  holdfast = standIn();
  [sent, notices, confirmed] = [[], [], []];
  delete (globalThis as Record<symbol, unknown>)[Symbol.for("holdfast.pi")];
  vi.resetModules();
  // @ts-expect-error the bridge is plain JavaScript: it is shipped as text and runs inside pi
  bridge = (await import("../../../src/agents/pi/bridge.js")).default;
});
afterEach(() => holdfast.remove());

const call = { type: "tool_call", toolName: "bash", toolCallId: "c1", input: { command: "x" } };

describe("a tool call", () => {
  it("is refused with the reason, and passed on whole", async () => {
    holdfast.answers('{"decision":"deny","reason":"No.","messages":["Look."]}');
    const pi = start();
    expect(await pi.tool_call?.(call, window(true))).toEqual({ block: true, reason: "No." });
    expect(notices).toEqual(["Look."]);
    expect(holdfast.asked()).toEqual([
      {
        argv: "hook pi pre-tool",
        event: call,
        ctx: { cwd: holdfast.home, hasUI: true, mode: "tui", session: "s1" },
      },
    ]);
  });

  it("goes through untouched on a silent answer", async () => {
    holdfast.answers("");
    expect(await start().tool_call?.(call, window(false))).toBe(undefined);
    expect(call.input).toEqual({ command: "x" });
  });

  it("is changed in place", async () => {
    holdfast.answers('{"decision":"allow","rewrite":{"command":"ls"}}');
    const input = { command: "x", timeout: 1 };
    await start().tool_call?.({ ...call, input }, window(false));
    expect(input).toEqual({ command: "ls", timeout: 1 });
  });

  it.each([
    ["prints rubbish", "echo oops"],
    ["dies", "kill -9 $$"],
    ["exits 2 silently", "exit 2"],
  ])("goes through when Holdfast %s", async (_, script) => {
    holdfast.runs(script);
    expect(await start().tool_call?.(call, window(false))).toBe(undefined);
  });

  it("goes through when pi hands over something else, and leaves a note", async () => {
    holdfast.answers('{"decision":"allow","rewrite":{"command":"ls"}}');
    expect(await start().tool_call?.({ ...call, input: null }, undefined)).toBe(undefined);
    expect(readFileSync(join(holdfast.home, "breadcrumbs.log"), "utf8")).toMatch(/"agent":"pi".*tool_call/);
  });
});

describe("an ask", () => {
  const ask = '{"decision":"ask","reason":"Force push?","messages":[]}';

  it("is put to the person, with the command, and runs on a yes", async () => {
    holdfast.answers(ask);
    expect(await start(true).tool_call?.(call, window(true))).toBe(undefined);
    expect(confirmed).toEqual([{ title: "Holdfast", text: "Force push?\n\nx" }]);
  });

  it("is refused on a no", async () => {
    holdfast.answers(ask);
    const answer = await start(false).tool_call?.(call, window(true));
    expect(answer).toEqual({
      block: true,
      reason: expect.stringMatching(/^Force push\?\nThe person was asked/),
    });
  });

  it("is refused with instructions where there is nobody", async () => {
    holdfast.answers(ask);
    const answer = await start(true).tool_call?.(call, window(false));
    expect(answer).toEqual({ block: true, reason: expect.stringMatching(/^Force push\?\nThere is nobody/) });
    expect(confirmed).toEqual([]);
  });

  it("is put once when the extension is loaded in two scopes", async () => {
    holdfast.answers(ask);
    const [one, two] = [start(true), start(true)];
    await Promise.all([one.tool_call?.(call, window(true)), two.tool_call?.(call, window(true))]);
    expect({ confirmed: confirmed.length, asked: holdfast.asked().length }).toEqual({
      confirmed: 1,
      asked: 1,
    });
  });
});

describe("the end of a turn", () => {
  const back = '{"decision":"continue","reason":"Two tests fail.","messages":[]}';
  const entry = { type: "custom_message", customType: "holdfast", content: "Two tests fail.", display: true };

  it("sends the agent back, keeping the entries of others", async () => {
    holdfast.answers(back);
    const event = { type: "agent_before_settle", outcome: "completed", entries: [{ other: 1 }] };
    const answer = await start().agent_before_settle?.(event, window(false));
    expect(answer).toEqual({ entries: [{ other: 1 }, entry], continue: true });
  });

  it("that was aborted or failed is left alone", async () => {
    holdfast.answers(back);
    const pi = start();
    for (const outcome of ["aborted", "error"]) {
      expect(await pi.agent_before_settle?.({ outcome, entries: [] }, window(false))).toBe(undefined);
    }
    expect(holdfast.asked()).toEqual([]);
  });

  const last = { type: "turn_end", turnIndex: 2, toolResults: [], message: { stopReason: "stop" } };

  it("sends pi 0.73 back at once, before anything else can happen", async () => {
    holdfast.answers(back);
    const done = start().turn_end?.(last, window(false));
    expect(sent).toEqual([["Two tests fail.", { deliverAs: "followUp" }]]);
    await done;
    expect(holdfast.asked().map(({ argv, event }) => [argv, event])).toEqual([
      ["hook pi turn-end", { type: "turn_end", turnIndex: 2 }],
    ]);
  });

  it.each([
    ["a step with tool calls", { ...last, toolResults: [{}] }],
    ["a step of a pi that settles afterwards", { ...last, outcome: "completed" }],
    ["an aborted step", { ...last, message: { stopReason: "aborted" } }],
  ])("is not %s", async (_, event) => {
    holdfast.answers(back);
    await start().turn_end?.(event, window(false));
    expect({ sent, asked: holdfast.asked() }).toEqual({ sent: [], asked: [] });
  });
});

it("starts in a pi that refuses to be listened to", () => {
  const refuse = () => {
    throw new Error("no such event");
  };
  expect(() => bridge({ on: refuse })).not.toThrow();
});

function start(answer = true): Record<string, Handler | undefined> {
  const handlers: Record<string, Handler> = {};
  person = answer;
  bridge({
    on: (name: string, handler: Handler) => {
      handlers[name] = handler;
    },
    sendUserMessage: (...message: unknown[]) => sent.push(message),
  });
  return handlers;
}

let person = true;

function window(hasUI: boolean) {
  return {
    cwd: holdfast.home,
    hasUI,
    mode: hasUI ? "tui" : "print",
    sessionManager: { getSessionId: () => "s1" },
    ui: {
      notify: (text: string) => notices.push(text),
      confirm: async (title: string, text: string) => {
        confirmed.push({ title, text });
        return person;
      },
    },
  };
}
