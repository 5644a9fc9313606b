import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setup } from "../../../src/agents/cline/setup.ts";
import { type StandIn, standIn } from "../stand-in.ts";

// The script as it is installed, run by sh as Cline runs it.
let holdfast: StandIn;
let folder: string;
let file: string;

beforeEach(() => {
  holdfast = standIn();
  folder = mkdtempSync(join(tmpdir(), "holdfast-cline-"));
  const machine = { home: folder, root: folder, env: {}, platform: "linux", gitHooks: null };
  const plan = setup.files("project", machine).find(({ kind }) => kind === "hook-script");
  if (plan?.kind !== "hook-script") throw new Error("no script");
  file = plan.file;
  mkdirSync(join(folder, ".clinerules/hooks"), { recursive: true });
  writeFileSync(file, plan.text, { mode: plan.mode });
});
afterEach(() => {
  holdfast.remove();
  rmSync(folder, { recursive: true, force: true });
});

const payload = '{"hookName":"tool_call","sessionContext":{"rootSessionId":"1_ab"},"tool_call":{"id":"c"}}';

function run(env: Record<string, string> = {}) {
  const path = { PATH: "/usr/bin:/bin", HOLDFAST_HOME: holdfast.home, HOME: folder };
  const { status, stdout } = spawnSync(file, { input: payload, env: { ...path, ...env }, encoding: "utf8" });
  return { status, stdout };
}

function own(script: string, mode: number): void {
  writeFileSync(join(folder, ".clinerules/hooks/PreToolUse.local"), script);
  chmodSync(join(folder, ".clinerules/hooks/PreToolUse.local"), mode);
}

describe("Cline's script", () => {
  it("passes the payload on and the answer back", () => {
    holdfast.answers('{"cancel":true}');
    expect(run()).toEqual({ status: 0, stdout: '{"cancel":true}\n' });
    expect(holdfast.asked()).toEqual([{ argv: "hook cline pre-tool", ...JSON.parse(payload) }]);
  });

  it("tells when the plugin is awake in this session, and in this one only", () => {
    holdfast.answers("");
    mkdirSync(join(holdfast.home, "alive"));
    writeFileSync(join(holdfast.home, "alive/cline.other"), "");
    run();
    writeFileSync(join(holdfast.home, "alive/cline.1_ab"), "");
    run();
    expect(holdfast.asked().map(({ argv }) => argv)).toEqual([
      "hook cline pre-tool",
      "hook cline pre-tool plugin",
    ]);
  });

  it.each([
    ["is missing", { HOLDFAST_HOME: "/nowhere" }, ""],
    ["crashes", {}, "echo '{\"cancel\":true}'; kill -9 $$"],
    ["exits 2", {}, "exit 2"],
  ])("holds nobody up when Holdfast %s", (_, env, program) => {
    holdfast.runs(program);
    expect(run(env)).toEqual({ status: 0, stdout: "" });
  });

  it("lets a script of the person's speak when Holdfast is silent", () => {
    own("#!/bin/sh\nprintf mine:; cat\n", 0o755);
    holdfast.answers("");
    expect(run().stdout.trim()).toBe(`mine:${payload}`);
    expect(run({ HOLDFAST_HOME: "/nowhere" }).stdout.trim()).toBe(`mine:${payload}`);
    holdfast.answers('{"cancel":true}');
    expect(run().stdout).toBe('{"cancel":true}\n');
  });

  it("runs a script that is not executable with bash, as Cline's CLI does", () => {
    own("printf mine", 0o644);
    holdfast.answers("");
    expect(run().stdout.trim()).toBe("mine");
  });
});
