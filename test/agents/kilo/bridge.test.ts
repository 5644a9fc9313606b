import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error the bridge is plain JavaScript: it is shipped as text and runs inside Kilo
import bridge from "../../../src/agents/kilo/bridge.js";
import { type StandIn, standIn } from "../stand-in.ts";

// What Kilo's bridge does besides OpenCode's: it raises Kilo's own dialog, and goes on after `kilo run`.
let holdfast: StandIn;
let sent: unknown[];
const argv = [...process.argv];
const input = { tool: "bash", sessionID: "s", callID: "c1" };
const ask = '{"decision":"ask","reason":"A force push\\n  can\'t be undone.","messages":[]}';

beforeEach(() => {
  holdfast = standIn();
  sent = [];
});
afterEach(() => {
  process.argv = [...argv];
  holdfast.remove();
});

describe("an ask", () => {
  it("becomes a command line that Kilo's own rule stops at, with the reason in front", async () => {
    holdfast.answers(ask);
    const hooks = await start();
    const config = { permission: "allow" };
    await hooks.config(config);
    expect(config.permission).toEqual({ "*": "allow", bash: { "*": undefined, "HOLDFAST_ASKS=*": "ask" } });
    const args = { command: "git push --force" };
    await hooks["tool.execute.before"](input, { args });
    expect(args.command).toBe("HOLDFAST_ASKS='A force push can’t be undone.' :\ngit push --force");
  });

  it("runs once Kilo has asked", async () => {
    holdfast.answers(ask);
    const hooks = await start();
    await hooks["tool.execute.before"](input, { args: { command: "git push --force" } });
    await hooks.event({ event: { type: "permission.asked", properties: { tool: { callID: "c1" } } } });
    await expect(hooks["shell.env"]({ callID: "c1" })).resolves.toBe(undefined);
  });

  it("does not run when Kilo asked nobody", async () => {
    holdfast.answers(ask);
    const hooks = await start();
    await hooks["tool.execute.before"](input, { args: { command: "git push --force" } });
    await expect(hooks["shell.env"]({ callID: "c1" })).rejects.toThrow(/undone\.\nThere is nobody/);
    await expect(hooks["shell.env"]({ callID: "another" })).resolves.toBe(undefined);
  });

  it("is put in front once, however often the plugin is loaded", async () => {
    holdfast.answers(ask);
    const args = { command: "git push --force" };
    for (const hooks of [await start(), await start()]) await hooks["tool.execute.before"](input, { args });
    expect(args.command.match(/HOLDFAST_ASKS/g)).toHaveLength(1);
  });

  it.each([
    ["in `kilo run`, where nobody can answer", ["node", "x", "run"], input],
    ["for a tool that is no shell command", argv, { ...input, tool: "background_process" }],
  ])("is refused with instructions %s", async (_, program, call) => {
    process.argv = [...program];
    holdfast.answers(ask);
    const args = { command: "git push --force" };
    const asked = (await start())["tool.execute.before"](call, { args });
    await expect(asked).rejects.toThrow(/can't be undone\.\nThere is nobody to confirm this here\./);
    expect(args).toEqual({ command: "git push --force" });
  });
});

describe("Kilo's permission rules", () => {
  it.each([
    [{ bash: "ask" }, { bash: { "*": "ask", "HOLDFAST_ASKS=*": "ask" } }],
    [
      { edit: "deny", bash: { "HOLDFAST_ASKS=*": "allow", "rm *": "deny" } },
      { edit: "deny", bash: { "rm *": "deny", "HOLDFAST_ASKS=*": "ask" } },
    ],
  ])("keep what the person has, ours last: %j", async (permission, expected) => {
    const config = { permission };
    await (await start()).config(config);
    expect(config.permission).toEqual(expected);
    expect(Object.keys(config.permission.bash).at(-1)).toBe("HOLDFAST_ASKS=*");
  });

  it("that cannot be changed stop nothing", async () => {
    await (await start()).config(Object.freeze({}));
    await (await start()).config(undefined);
  });
});

describe("the end of a turn", () => {
  const back = [{ path: { id: "s" }, body: { parts: [{ type: "text", text: "Two tests fail." }] } }];
  const idle = { event: { type: "session.idle", properties: { sessionID: "s" } } };
  const finish = (reason: string) => ({
    event: {
      type: "message.part.updated",
      properties: { part: { type: "step-finish", sessionID: "s", reason } },
    },
  });

  beforeEach(() => holdfast.answers('{"decision":"continue","reason":"Two tests fail.","messages":[]}'));

  it("sends the agent back when it is idle", async () => {
    process.argv[2] = "serve";
    await (await start()).event(idle);
    expect({ sent, asked: asked() }).toEqual({ sent: back, asked: [["session.idle", undefined]] });
  });

  it("has its verdict ready in `kilo run`, which waits for no tests", async () => {
    process.argv[2] = "run";
    const hooks = await start();
    await hooks["experimental.text.complete"]({ sessionID: "s", partID: "p" });
    await hooks.event(finish("stop"));
    expect(sent).toEqual([]);
    const ended = hooks.event(idle);
    expect(sent).toEqual(back);
    await ended;
    expect(asked()).toEqual([
      ["experimental.text.complete", "tentative"],
      ["session.idle", "settled"],
    ]);
  });

  it("forgets what it decided before tools were called", async () => {
    process.argv[2] = "run";
    const hooks = await start();
    await hooks["experimental.text.complete"]({ sessionID: "s", partID: "p" });
    await hooks.event(finish("tool-calls"));
    await hooks.event(idle);
    expect(sent).toEqual([]);
  });
});

function asked() {
  return holdfast.asked().map(({ event, phase }) => [event, phase]);
}

it("leaves a sign of life when it is loaded", async () => {
  await start();
  expect(existsSync(join(holdfast.home, "alive/kilo"))).toBe(true);
});

async function start() {
  const client = {
    session: {
      get: async () => ({ data: {} }),
      promptAsync: async (message: unknown) => void sent.push(message),
    },
    tui: { showToast: async () => {} },
    app: { log: async () => {} },
  };
  return bridge.server({ client, directory: holdfast.home, worktree: holdfast.home });
}
