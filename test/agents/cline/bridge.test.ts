import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error the bridge is plain JavaScript: it is shipped as text and runs beside Cline
import bridge from "../../../src/agents/cline/bridge.js";
import { type StandIn, standIn } from "../stand-in.ts";

let holdfast: StandIn;
beforeEach(() => {
  holdfast = standIn();
});
afterEach(() => holdfast.remove());

const input = { path: ".env", text: "x" };
const context = (toolName: string) => ({
  toolCall: { toolCallId: "c", toolName, input },
  input,
  snapshot: { agentId: "a", parentAgentId: "p" },
});

describe("Cline's plugin", () => {
  it("refuses an MCP tool alone, and passes the call on whole", async () => {
    holdfast.answers('{"decision":"deny","reason":"No.","context":[]}');
    bridge.setup({}, { session: { sessionId: "s-1" } });
    const answer = await bridge.hooks.beforeTool(context("notes__save_note"));
    expect(answer).toEqual({ skip: true, reason: "No." });
    expect(holdfast.asked()).toEqual([
      {
        argv: "hook cline pre-tool",
        hookName: "beforeTool",
        sessionContext: { rootSessionId: "s-1" },
        workspaceRoots: [process.cwd()],
        agent_id: "a",
        parent_agent_id: "p",
        tool_call: { id: "c", name: "notes__save_note", input },
      },
    ]);
  });

  it("leaves Cline's own tools to the script", async () => {
    holdfast.answers('{"decision":"deny","reason":"No."}');
    for (const tool of ["editor", "run_commands", "apply_patch", "submit_and_exit"]) {
      expect(await bridge.hooks.beforeTool(context(tool))).toBe(undefined);
    }
    expect(holdfast.asked()).toEqual([]);
  });

  it("is known to be awake while a run goes on", () => {
    bridge.setup({}, { session: { sessionId: "s-1" } });
    const sign = join(holdfast.home, "alive/cline.s-1");
    bridge.hooks.beforeRun();
    expect(existsSync(sign)).toBe(true);
    bridge.hooks.afterRun();
    expect(existsSync(sign)).toBe(false);
  });

  it.each([
    ["prints rubbish", "echo oops"],
    ["crashes", "kill -9 $$"],
    ["takes longer than Cline waits", "exec sleep 20"],
  ])("lets the call through when Holdfast %s", async (_, script) => {
    holdfast.runs(script);
    expect(await bridge.hooks.beforeTool(context("notes__save_note"))).toBe(undefined);
  });

  it("never throws, whatever it is handed", async () => {
    bridge.setup();
    expect(await bridge.hooks.beforeTool({})).toBe(undefined);
    expect(await bridge.hooks.beforeTool(undefined)).toBe(undefined);
  });
});
