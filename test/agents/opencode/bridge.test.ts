import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error the bridge is plain JavaScript: it is shipped as text and runs inside OpenCode
import bridge from "../../../src/agents/opencode/bridge.js";

// The bridge with a real child process behind it: a small program in Holdfast's place that notes what it is
// asked and answers what the test says. OpenCode's client is the one thing stood in for; the lab has the real one.
let home: string;
let sent: { path: { id: string }; body: Record<string, unknown> }[];
let toasts: string[];
const before = { ...process.env };
const argv = [...process.argv];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "holdfast-bridge-"));
  process.env.HOLDFAST_HOME = home;
  sent = [];
  toasts = [];
  mkdirSync(join(home, "bin"));
});

afterEach(() => {
  process.env = { ...before };
  process.argv = [...argv];
  rmSync(home, { recursive: true, force: true });
});

describe("the OpenCode bridge", () => {
  it("refuses by throwing the reason, and passes the whole call on", async () => {
    answers(`{"decision":"deny","reason":"No.","context":[],"messages":["Look."],"rewrite":null}`);
    const hooks = await start();
    const call = hooks["tool.execute.before"](
      { tool: "bash", sessionID: "s", callID: "c1" },
      { args: { command: "x" } },
    );
    await expect(call).rejects.toThrow(/^No\.$/);
    expect(toasts).toEqual(["Look."]);
    expect(asked()).toEqual([
      {
        argv: "hook opencode pre-tool",
        event: "tool.execute.before",
        tool: "bash",
        sessionID: "s",
        callID: "c1",
        args: { command: "x" },
        directory: home,
        worktree: home,
      },
    ]);
  });

  it("asks by a command line that a rule of OpenCode's own stops at, and lets nothing run unasked", async () => {
    answers(`{"decision":"ask","reason":"A force push."}`);
    const hooks = await start();
    const config = { permission: { bash: "allow" } };
    await hooks.config(config);
    expect(config.permission.bash).toEqual({ "*": "allow", "HOLDFAST_ASKS=*": "ask" });
    const args = { command: "git push --force" };
    await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c9" }, { args });
    expect(args.command).toBe("HOLDFAST_ASKS='A force push.' :\ngit push --force");
    await expect(hooks["shell.env"]({ callID: "c9" })).rejects.toThrow(/^A force push\./);
  });

  it("refuses in `opencode run`, where nobody can answer", async () => {
    process.argv[2] = "run";
    answers(`{"decision":"ask","reason":"A force push."}`);
    const args = { command: "git push --force" };
    const call = (await start())["tool.execute.before"](
      { tool: "bash", sessionID: "s", callID: "c10" },
      { args },
    );
    await expect(call).rejects.toThrow(/^A force push\.\nThere is nobody to confirm this here\./);
    expect(args.command).toBe("git push --force");
  });

  it("lets the call through, untouched, on a silent answer", async () => {
    answers("");
    const args = { filePath: "/a" };
    await (await start())["tool.execute.before"]({ tool: "write", sessionID: "s", callID: "c2" }, { args });
    expect(args).toEqual({ filePath: "/a" });
  });

  it("changes the arguments in place, because OpenCode ignores a new object", async () => {
    answers(`{"decision":"allow","rewrite":{"command":"ls"}}`);
    const args = { command: "x", timeout: 1 };
    await (await start())["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c3" }, { args });
    expect(args).toEqual({ command: "ls", timeout: 1 });
  });

  it.each([
    ["prints rubbish", "echo oops"],
    ["dies", "kill -9 $$"],
    ["exits 2 silently", "exit 2"],
  ])("allows when Holdfast %s", async (_, script) => {
    program(script);
    await (await start())["tool.execute.before"](
      { tool: "bash", sessionID: "s", callID: script },
      { args: {} },
    );
  });

  it("allows when Holdfast is not there, and leaves a note", async () => {
    process.env.PATH = "/nowhere";
    await (await start())["tool.execute.before"](
      { tool: "bash", sessionID: "s", callID: "c4" },
      { args: {} },
    );
    expect(readFileSync(join(home, "breadcrumbs.log"), "utf8")).toMatch(/"agent":"opencode".*ENOENT/);
  });

  it("asks once when the same plugin is loaded in two scopes", async () => {
    answers(`{"decision":"deny","reason":"No."}`);
    const [one, two] = [await start(), await start()];
    const input = { tool: "bash", sessionID: "s", callID: "c5" };
    const both = [one, two].map((hooks) => hooks["tool.execute.before"](input, { args: { command: "y" } }));
    expect((await Promise.allSettled(both)).map((result) => result.status)).toEqual(["rejected", "rejected"]);
    expect(asked()).toHaveLength(1);
  });

  it("judges a repeated call again", async () => {
    answers("");
    const hooks = await start();
    const input = { tool: "bash", sessionID: "s", callID: "c6" };
    await hooks["tool.execute.before"](input, { args: {} });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await hooks["tool.execute.before"](input, { args: {} });
    expect(asked()).toHaveLength(2);
  });

  it("sends the agent back when the session is idle", async () => {
    answers(`{"decision":"continue","reason":"Two tests fail."}`);
    await (await start()).event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    expect(sent).toEqual([
      { path: { id: "s" }, body: { parts: [{ type: "text", text: "Two tests fail." }] } },
    ]);
  });

  it("leaves subagents and failed runs alone", async () => {
    answers(`{"decision":"continue","reason":"Two tests fail."}`);
    const hooks = await start();
    await hooks.event({ event: { type: "session.idle", properties: { sessionID: "child" } } });
    await hooks.event({ event: { type: "session.error", properties: { sessionID: "s" } } });
    await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    expect({ sent, asked: asked() }).toEqual({ sent: [], asked: [] });
    await hooks["chat.message"]({ sessionID: "s" });
    await hooks.event({ event: { type: "session.idle", properties: { sessionID: "s" } } });
    expect(sent).toHaveLength(1);
  });

  it("in `opencode run` decides before the last step and spends a retry only when it sends back", async () => {
    process.argv[2] = "run";
    answers(`{"decision":"continue","reason":"Two tests fail."}`);
    const hooks = await start();
    const finish = (reason: string) =>
      hooks.event({
        event: {
          type: "message.part.updated",
          properties: { part: { type: "step-finish", id: "p2", sessionID: "s", reason } },
        },
      });
    await hooks["experimental.text.complete"](
      { sessionID: "s", messageID: "m", partID: "p1" },
      { text: "done" },
    );
    await finish("tool-calls");
    expect(sent).toEqual([]);
    await finish("stop");
    expect(sent).toEqual([
      { path: { id: "s" }, body: { noReply: true, parts: [{ type: "text", text: "Two tests fail." }] } },
    ]);
    expect(asked().map(({ argv, phase }) => [argv, phase])).toEqual([
      ["hook opencode turn-end", "tentative"],
      ["hook opencode turn-end", "settled"],
    ]);
  });

  it("never throws out of an event", async () => {
    program("exit 1");
    const hooks = await start();
    await hooks.event({ event: null });
    await hooks.event({});
    await hooks.event({ event: { type: "message.part.updated" } });
  });
});

async function start() {
  const client = {
    session: {
      get: async ({ path }: { path: { id: string } }) => ({
        data: path.id === "child" ? { parentID: "s" } : {},
      }),
      prompt: async (message: (typeof sent)[number]) => void sent.push(message),
      promptAsync: async (message: (typeof sent)[number]) => void sent.push(message),
    },
    tui: { showToast: async ({ body }: { body: { message: string } }) => void toasts.push(body.message) },
    app: { log: async () => {} },
  };
  return bridge.server({ client, directory: home, worktree: home });
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
