import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anthropicMessages } from "../../src/prove/server/anthropic-messages.ts";
import { type Recording, type ScriptedModel, scriptedModel } from "../../src/prove/server/server.ts";
import type { Turn } from "../../src/prove/server/wire.ts";
import { runStandIn } from "../../src/prove/stand-in/agent.ts";

let root = "";
let model: ScriptedModel;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "stand-in-"));
  mkdirSync(join(root, ".git"));
  mkdirSync(join(root, ".claude"));
  mkdirSync(join(root, "sub"));
  model = await scriptedModel(anthropicMessages);
});
afterEach(async () => {
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

const write = (path: string): Turn => ({ call: { name: "Write", input: { file_path: path, content: "x" } } });
const shell = (command: string): Turn => ({ call: { name: "Bash", input: { command } } });

describe("the stand-in agent", () => {
  it("does what the model says when no hook is there", async () => {
    const { told, words } = await play([write("a/b.txt"), shell("echo out; pwd"), { say: "Done." }]);
    expect(readFileSync(join(root, "a/b.txt"), "utf8")).toBe("x");
    expect([words, told(2), told(3)]).toEqual([
      "Done.",
      [{ kind: "tool", text: `Wrote ${root}/a/b.txt` }],
      [{ kind: "tool", text: `out\n${root}` }],
    ]);
  });

  it.each([
    ["deny", deny("deny", "no")],
    ["ask", deny("ask", "no")],
    ["exit 2", "echo no >&2; exit 2"],
  ])("obeys %s and passes the reason on", async (_, command) => {
    hooks({ PreToolUse: [{ matcher: "^(Write|Edit)$", hooks: [{ type: "command", command }] }] });
    const { told } = await play([write("a.txt"), shell("echo ran > b.txt"), { say: "Done." }]);
    expect(told(2)).toEqual([{ kind: "tool", text: "no" }]);
    expect([existsSync(join(root, "a.txt")), existsSync(join(root, "b.txt"))]).toEqual([false, true]);
  });

  it.each([
    ["exit 1", "echo no >&2; exit 1"],
    ["words that are not JSON", "echo no"],
    ["silence", "true"],
  ])("is not stopped by %s", async (_, command) => {
    hooks({ PreToolUse: [{ hooks: [{ type: "command", command }] }] });
    await play([write("a.txt"), { say: "Done." }]);
    expect(existsSync(join(root, "a.txt"))).toBe(true);
  });

  it("gives a hook the call, from a sub-folder as well", async () => {
    hooks({ PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: `cat > ${root}/seen` }] }] });
    await play([shell("true"), { say: "Done." }], join(root, "sub"));
    expect(JSON.parse(readFileSync(join(root, "seen"), "utf8"))).toEqual({
      hook_event_name: "PreToolUse",
      cwd: join(root, "sub"),
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tool_name: "Bash",
      tool_input: { command: "true" },
      tool_use_id: expect.stringMatching(/^toolu_/),
    });
  });

  it("goes on working when a hook does not let it stop", async () => {
    const command = `if [ -f a.txt ]; then exit 0; fi; echo '{"decision":"block","reason":"write a.txt"}'`;
    hooks({ Stop: [{ hooks: [{ type: "command", command }] }] });
    const { told, words, main } = await play([{ say: "Done?" }, write("a.txt"), { say: "Done." }]);
    expect([words, main.length, told(2)]).toEqual([
      "Done.",
      3,
      [{ kind: "message", text: "Stop hook feedback: write a.txt" }],
    ]);
  });

  it("gives up on a model that never stops", async () => {
    const { words, main } = await play(Array.from({ length: 60 }, () => shell("true")));
    expect([words, main.length]).toEqual(["", 50]);
  });
});

function deny(decision: string, reason: string): string {
  const answer = {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision,
      permissionDecisionReason: reason,
    },
  };
  return `echo '${JSON.stringify(answer)}'`;
}

function hooks(settings: object): void {
  writeFileSync(join(root, ".claude/settings.json"), JSON.stringify({ hooks: settings }));
}

async function play(turns: readonly Turn[], cwd = root): Promise<Recording & { words: string }> {
  const recording = model.play((n) => turns[n - 1] ?? { say: "end" });
  const env = { ANTHROPIC_BASE_URL: model.url, HOME: join(root, "home"), PATH: "/usr/bin:/bin" };
  return { ...recording, words: await runStandIn("go", cwd, env) };
}
