import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
// @ts-expect-error the bridge is plain JavaScript: it is shipped as text and runs inside Newcomer
import bridge from "../../../../src/agents/_template/bridge/bridge.js";

// The bridge with a real child process behind it: a small program in Holdfast's place that notes what it is asked
// and answers what the test says. The host's API is stood in for.
let home: string;
const before = { ...process.env };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "holdfast-bridge-"));
  process.env.HOLDFAST_HOME = home;
  mkdirSync(join(home, "bin"));
});
afterEach(() => {
  process.env = { ...before };
  rmSync(home, { recursive: true, force: true });
});

const call = { session: "s", id: "c", tool: "shell", input: { command: "git push -f" } };

it("relays a call as Holdfast reads it, and refuses with the reason", async () => {
  answers(`cat > "${home}/asked"; echo '{"decision":"deny","reason":"No."}'`);
  expect(await fire("tool.before", call)).toEqual({ block: true, reason: "No." });
  expect(JSON.parse(readFileSync(join(home, "asked"), "utf8"))).toEqual({
    event: "tool.before",
    directory: home,
    ...call,
  });
});

it.each([
  ["says nothing", "cat > /dev/null"],
  ["prints rubbish", "echo oops"],
  ["dies", "kill -9 $$"],
])("lets the call through when Holdfast %s", async (_, script) => {
  answers(script);
  expect(await fire("tool.before", call)).toBe(undefined);
});

it("sends the agent back at the end of a turn", async () => {
  answers(`echo '{"decision":"continue","reason":"Two tests fail."}'`);
  expect(await fire("turn.end", { session: "s", continued: false })).toEqual({ prompt: "Two tests fail." });
});

function fire(name: string, event: unknown): unknown {
  const handlers = new Map<string, (event: unknown) => unknown>();
  bridge({
    directory: home,
    on: (heard: string, handler: (event: unknown) => unknown) => handlers.set(heard, handler),
  });
  return handlers.get(name)?.(event);
}

function answers(script: string): void {
  writeFileSync(join(home, "bin/holdfast"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
