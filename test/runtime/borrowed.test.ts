import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { tempDir } from "../git/repo.ts";
import { bundle } from "../setup/bundle.ts";

// Some agents run the hooks that were installed for others. The payloads and variables are those that Grok 1.0.41
// and Copilot CLI 1.0.102 hand to a project's Claude Code hooks; Cursor's are from its SDK package.
let project: string;
let home: string;
const silent = { exitCode: 0, stdout: "", stderr: "" };

beforeEach(() => {
  const base = tempDir();
  project = join(base, "project");
  home = join(base, "home");
  mkdirSync(home);
  mkdirSync(project);
  spawnSync("git", ["init", "-q"], { cwd: project });
});

const grokEnv = () => ({ GROK_HOOK_EVENT: "pre_tool_use", CLAUDE_PROJECT_DIR: project });
const grokCall = (command: string, session = "g1") => ({
  hookEventName: "pre_tool_use",
  sessionId: session,
  toolName: "run_terminal_command",
  toolUseId: "call_1",
  toolInput: { command },
  hook_event_name: "PreToolUse",
  session_id: session,
  cwd: project,
  tool_name: "run_terminal_command",
  tool_input: { command },
  tool_use_id: "call_1",
});
const copilotEnv = () => ({
  COPILOT_CLI: "1",
  COPILOT_PROJECT_DIR: project,
  CLAUDE_PROJECT_DIR: project,
});
const claudeCall = (command: string) => ({
  hook_event_name: "PreToolUse",
  session_id: "c1",
  cwd: project,
  tool_name: "Bash",
  tool_input: { command },
});

describe("a hook that another agent runs as well", () => {
  it("answers Grok as Grok: it lets a tool run on Claude Code's ask, so it is refused", () => {
    const { stdout } = hook("claude-code", "pre-tool", grokCall("git push --force"), grokEnv());
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    const asked = hook("claude-code", "pre-tool", claudeCall("git push --force"));
    expect(JSON.parse(asked.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
  });

  it("answers Copilot CLI in its own flat form", () => {
    const { stdout } = hook("claude-code", "pre-tool", claudeCall("git push --force"), copilotEnv());
    expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: "ask" });
  });

  it("takes Claude Code in a shell that Copilot CLI started for Claude Code", () => {
    const { stdout } = hook("claude-code", "pre-tool", claudeCall("git push --force"), { COPILOT_CLI: "1" });
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "ask" } });
  });

  it("answers Cursor as Cursor", () => {
    const call = {
      ...claudeCall("echo A=1 > .env"),
      conversation_id: "u1",
      cursor_version: "1.7.2",
      workspace_roots: [project],
      tool_name: "Shell",
    };
    const { stdout } = hook("claude-code", "pre-tool", call);
    expect(JSON.parse(stdout)).toMatchObject({ permission: "deny" });
  });

  it("leaves the answer to the agent's own hook once that was heard in the session", () => {
    const dangerous = "git push --force";
    expect(hook("grok", "pre-tool", grokCall("ls"), grokEnv())).toEqual(silent);
    expect(hook("claude-code", "pre-tool", grokCall(dangerous), grokEnv())).toEqual(silent);
    expect(hook("grok", "pre-tool", grokCall(dangerous), grokEnv()).stdout).toContain("deny");
    expect(hook("claude-code", "pre-tool", grokCall(dangerous, "g2"), grokEnv()).stdout).toContain("deny");
  });

  it("answers again when the agent's own hook has long been silent", () => {
    expect(hook("grok", "pre-tool", grokCall("ls"), grokEnv())).toEqual(silent);
    const found = spawnSync("find", [home, "-name", "*.heard"], { encoding: "utf8" }).stdout.trim();
    const longAgo = Date.now() / 1000 - 7200;
    utimesSync(found, longAgo, longAgo);
    expect(hook("claude-code", "pre-tool", grokCall("git push --force"), grokEnv()).stdout).toContain("deny");
  });
});

describe("a text that the agent cannot show at once", () => {
  it("reaches the model at the next call, to be passed on, once", () => {
    writeFileSync(join(project, "holdfast.yaml"), "tests:\n  command: exit 1\n  max_retries: 0\n");
    writeFileSync(join(project, "a.ts"), "1\n");
    const end = { sessionId: "c1", cwd: project, stopReason: "end_turn" };
    expect(hook("copilot", "agentStop", end)).toEqual(silent);
    const call = { sessionId: "c1", cwd: project, toolName: "bash", toolArgs: { command: "ls" } };
    const { additionalContext } = JSON.parse(hook("copilot", "preToolUse", call).stdout);
    expect(additionalContext).toMatch(/Tell them before you go on: .*the tests fail/);
    expect(hook("copilot", "preToolUse", call)).toEqual(silent);
    rmSync(join(project, "a.ts"));
  });
});

function hook(agent: string, event: string, payload: unknown, more: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle(), "hook", agent, event], {
    input: JSON.stringify(payload),
    cwd: project,
    env: { PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8", ...more },
    encoding: "utf8",
    timeout: 30_000,
  });
  return { exitCode: status, stdout, stderr };
}
