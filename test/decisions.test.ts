import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundle } from "./setup/bundle.ts";

// Every row of the decision table, asked of the bundled program exactly as the agents ask it: a payload on
// stdin, an answer on stdout, a real repository and real test commands around it.
let base: string;
let project: string;
let home: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "holdfast-decisions-"));
  project = join(base, "project");
  home = join(base, "home");
  mkdirSync(home);
  mkdirSync(project);
  git("init", "-q", "-b", "main");
  put("src/a.ts", "export {};\n");
  git("add", "-A");
  git("commit", "-qm", "start");
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe("before a tool call", () => {
  it.each([
    ["Write", { file_path: ".env", content: "A=1" }, ".env", ".env"],
    ["Edit", { file_path: "src/../.env.local", old_string: "a", new_string: "b" }, ".env.local", ".env.*"],
    [
      "NotebookEdit",
      { notebook_path: "secrets/nb.ipynb", new_source: "x" },
      "secrets/nb.ipynb",
      "secrets/**",
    ],
    [
      "Write",
      { file_path: ".github/workflows/ci.yml", content: "" },
      ".github/workflows/ci.yml",
      ".github/workflows/**",
    ],
  ])("blocks %s of a protected path and says which pattern", (tool, input, path, pattern) => {
    const reason = denied(claude(tool, absolute(input)));
    expect(reason).toContain(path);
    expect(reason).toContain(pattern);
    expect(reason).toContain("holdfast.yaml");
  });

  it.each([
    "*** Begin Patch\n*** Add File: .env\n+A=1\n*** End Patch\n",
    "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: migrations/001.sql\n@@\n-a\n+b\n*** End Patch\n",
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** Delete File: certs/server.pem\n*** End Patch\n",
  ])("blocks a patch that writes, moves onto or deletes one (%#)", (command) => {
    expect(denied(codex("apply_patch", { command }))).toMatch(/\.env|migrations|server\.pem/);
  });

  it.each([
    "echo A=1 > .env",
    "cat x >> secrets/token",
    "cp a.txt .env",
    "mv a.txt migrations/1.sql",
    "rm -f server.key",
    "echo x | tee .env",
    "sed -i s/a/b/ .env",
    "dd if=/dev/zero of=.env count=1",
    "install -m 600 a secrets/b",
    "ln -sf /tmp/x .env",
    "truncate -s 0 .env",
    "patch .env < x.diff",
    "git checkout -- .env",
    "cd .. && tee project/.env < x",
    "sudo -u root sh -c 'echo x > .env'",
    "bash <<'EOF'\necho x > .env\nEOF",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: .env\n+A=1\n*** End Patch\nEOF",
  ])("blocks a shell command that touches one: %s", (command) => {
    expect(denied(claude("Bash", { command }))).toMatch(/\.env|secrets|migrations|server\.key/);
  });

  it.each([
    "rm -rf /",
    "rm -rf ~",
    "rm -rf .",
    "rm -rf *",
    "rm -rf /usr",
    "git push --force",
    "git push -f origin main",
    "git push origin +main",
    "git push --mirror",
    "git commit --no-verify -m x",
    "git commit -nm x",
  ])("asks about %s where the agent can ask, and refuses with instructions where it cannot", (command) => {
    expect(claude("Bash", { command })).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "ask",
        permissionDecisionReason: expect.stringMatching(/\S{3}/),
      },
    });
    expect(denied(codex("Bash", { command }))).toContain("tell the person");
    // The bridge raises OpenCode's dialog, or refuses where there is none.
    expect(opencode({ tool: "bash", args: { command } })).toMatchObject({ decision: "ask" });
  });

  it.each([
    ["Bash", { command: "ls -la && npm run build" }],
    ["Bash", { command: "cat .env" }],
    ["Bash", { command: "git commit -m 'never git push --force'" }],
    ["Bash", { command: "rm -rf dist" }],
    ["Write", { file_path: "src/b.ts", content: "> .env" }],
    ["Read", { file_path: ".env" }],
    ["WebFetch", { url: "https://example.com" }],
  ])("allows any other call and prints nothing: %s %j", (tool, input) => {
    expect(
      hook("claude-code", "pre-tool", payload("PreToolUse", { tool_name: tool, tool_input: input })),
    ).toEqual(quiet);
    expect(hook("codex", "pre-tool", payload("PreToolUse", { tool_name: tool, tool_input: input }))).toEqual(
      quiet,
    );
  });
});

describe("at turn end", () => {
  it("does not run the tests when nothing changed", () => {
    manifest({ command: "touch ran; exit 1" });
    git("add", "-A");
    git("commit", "-qm", "manifest");
    expect(stop()).toEqual(quiet);
    expect(existsSync(join(project, "ran"))).toBe(false);
  });

  it("does not run them again for the tree of the last check that did not fail", () => {
    manifest({ command: "echo ran >> ../runs" });
    put("src/b.ts", "1\n");
    expect([stop(), stop(), stop({ session_id: "other" })]).toEqual([quiet, quiet, quiet]);
    expect(readFileSync(join(base, "runs"), "utf8")).toBe("ran\n");
    put("src/b.ts", "2\n");
    expect(stop()).toEqual(quiet);
    expect(readFileSync(join(base, "runs"), "utf8")).toBe("ran\nran\n");
  });

  it("is silent when tests pass and the diff is small", () => {
    manifest({ command: "true" });
    put("src/b.ts", "1\n");
    expect(stop()).toEqual(quiet);
  });

  it("notes a large change, with or without tests", () => {
    manifest({ command: "", review: 5 });
    put("src/b.ts", "x\n".repeat(40));
    expect(answer(stop())).toEqual({ systemMessage: expect.stringMatching(/large change.*review/i) });
    manifest({ command: "true", review: 5 });
    put("src/c.ts", "x\n".repeat(40));
    expect(answer(stop({ session_id: "s2" }))).toEqual({
      systemMessage: expect.stringMatching(/large change.*review/i),
    });
  });

  it("allows when there is no test command", () => {
    put("src/b.ts", "1\n");
    expect(stop()).toEqual(quiet);
  });

  it("sends the agent back with the last 40 lines, as often as allowed, then asks the person", () => {
    manifest({ command: "for i in $(seq 1 60); do echo line $i; done; exit 1", retries: 2 });
    put("src/b.ts", "1\n");
    const first = answer(stop());
    expect(first).toEqual({ decision: "block", reason: expect.stringContaining("line 60") });
    expect(String(first.reason)).toContain("line 21\n");
    expect(String(first.reason)).not.toContain("line 20\n");
    put("src/b.ts", "2\n");
    expect(answer(stop({ stop_hook_active: true }))).toMatchObject({ decision: "block" });
    put("src/b.ts", "3\n");
    expect(answer(stop({ stop_hook_active: true }))).toEqual({
      systemMessage: expect.stringMatching(/look/i),
    });
  });

  it("gives every session its own retries, and a pass gives them back", () => {
    manifest({ command: "test -f ok", retries: 1 });
    put("src/b.ts", "1\n");
    expect(answer(stop())).toMatchObject({ decision: "block" });
    put("ok", "");
    expect(stop()).toEqual(quiet);
    rmSync(join(project, "ok"));
    put("src/b.ts", "2\n");
    expect(answer(stop())).toMatchObject({ decision: "block" });
  });

  it("sends back for a failure from before the session once that was mended in it", () => {
    manifest({ command: "test -f ok", retries: 1 });
    put("src/b.ts", "1\n");
    expect(answer(stop())).toMatchObject({ decision: "block" });
    expect(answer(stop({ session_id: "s2" }))).toEqual({
      systemMessage: expect.stringContaining("not sent back"),
    });
    put("ok", "");
    expect(stop({ session_id: "s2" })).toEqual(quiet);
    rmSync(join(project, "ok"));
    put("src/b.ts", "2\n");
    expect(answer(stop({ session_id: "s2" }))).toMatchObject({ decision: "block" });
  });

  it("is not driven round in circles by another tool that keeps the agent going", () => {
    manifest({ command: "exit 1", retries: 1 });
    put("src/b.ts", "1\n");
    expect(answer(stop())).toMatchObject({ decision: "block" });
    expect(answer(stop({ stop_hook_active: true }))).toEqual({
      systemMessage: expect.stringMatching(/look/i),
    });
    expect(stop({ stop_hook_active: true })).toEqual(quiet);
    expect(stop({ stop_hook_active: true })).toEqual(quiet);
    put("src/b.ts", "2\n");
    expect(answer(stop())).toMatchObject({ decision: "block" });
  });

  it("keeps the project it was started in when the agent steps into a repository inside it", () => {
    manifest({ command: "exit 1" });
    put("vendor/lib/a.txt", "");
    spawnSync("git", ["init", "-q", join(project, "vendor/lib")]);
    const env = { CLAUDE_PROJECT_DIR: project };
    const cwd = join(project, "vendor/lib");
    const { stdout } = hook("claude-code", "turn-end", payload("Stop", { cwd }), cwd, env);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "block" });
  });

  it.each(["ask", "notify"])("with `%s` lets the agent stop and tells the person", (onFailure) => {
    manifest({ command: "echo broken; exit 1", onFailure });
    put("src/b.ts", "1\n");
    expect(answer(stop())).toEqual({ systemMessage: expect.stringMatching(/fail/i) });
  });

  it("does not run the tests for a subagent, or while background work goes on", () => {
    manifest({ command: "touch ../ran; exit 1" });
    put("src/b.ts", "1\n");
    expect(hook("claude-code", "turn-end", payload("SubagentStop", { agent_id: "a" }))).toEqual(quiet);
    expect(stop({ background_tasks: [{ id: "x", status: "running" }] })).toEqual(quiet);
    expect(existsSync(join(base, "ran"))).toBe(false);
  });

  it("tells the person, and spends no retry, when the tests cannot run", () => {
    manifest({ command: "no-such-runner-at-all", retries: 1 });
    put("src/b.ts", "1\n");
    expect(answer(stop())).toEqual({ systemMessage: expect.stringMatching(/could not/i) });
    manifest({ command: "exit 1", retries: 1 });
    expect(answer(stop())).toMatchObject({ decision: "block" });
  });
});

describe("at a commit", () => {
  const commit = () => hook("git", "pre-commit", "", project);

  it("refuses a protected file and lists it, by what is staged", () => {
    put(".env", "A=1\n");
    put("secrets/ключ «1».txt", "x\n");
    git("add", "-f", ".env", "secrets");
    put(".env", "changed again\n");
    const { exitCode, stderr } = commit();
    expect({
      exitCode,
      env: stderr.includes(".env"),
      secret: stderr.includes("secrets/ключ «1».txt"),
    }).toEqual({ exitCode: 1, env: true, secret: true });
  });

  it("looks at the index, not at the working tree", () => {
    put(".env", "A=1\n");
    put("src/b.ts", "1\n");
    git("add", "src/b.ts");
    expect(commit()).toMatchObject({ exitCode: 0 });
  });

  it("refuses when the tests fail and shows their output", () => {
    manifest({ command: "echo 3 tests broke; exit 1" });
    git("add", "-A");
    expect(commit()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("3 tests broke") });
  });

  it("does not run them with git.run_tests: false", () => {
    manifest({ command: "exit 1", git: false });
    git("add", "-A");
    expect(commit()).toMatchObject({ exitCode: 0 });
  });
});

describe("when Holdfast itself breaks", () => {
  it("warns once and allows on a payload that is not JSON", () => {
    const { exitCode, stdout, stderr } = hook("claude-code", "pre-tool", "not json");
    expect({ exitCode, stdout, lines: stderr.trim().split("\n").length }).toEqual({
      exitCode: 0,
      stdout: "",
      lines: 1,
    });
    expect(problems()).toHaveLength(1);
  });

  it("keeps the built-in guards when holdfast.yaml does not parse, and says where", () => {
    put("holdfast.yaml", "protect:\n  paths: [\n");
    const first = claude("Write", absolute({ file_path: ".env", content: "" }));
    expect(denied(first)).toContain(".env");
    expect(first.systemMessage).toMatch(/holdfast\.yaml:\d+:\d+/);
    expect(problems()[0]).toMatchObject({ code: "HF301" });
  });

  it("works outside any repository", () => {
    rmSync(join(project, ".git"), { recursive: true });
    expect(denied(claude("Write", absolute({ file_path: ".env", content: "" })))).toContain(".env");
    manifest({ command: "exit 1" });
    expect(answer(stop())).toMatchObject({ decision: "block" });
  });

  it("allows the turn to end when git is missing", () => {
    manifest({ command: "true" });
    put("src/b.ts", "1\n");
    const { exitCode, stdout } = hook("claude-code", "turn-end", payload("Stop", {}), project, {
      PATH: "/nowhere",
    });
    expect({ exitCode, blocks: stdout.includes("block") }).toEqual({ exitCode: 0, blocks: false });
  });

  it("goes on when nothing can be written", () => {
    const { exitCode, stdout } = hook(
      "claude-code",
      "pre-tool",
      payload("PreToolUse", { tool_name: "Write", tool_input: absolute({ file_path: ".env" }) }),
      project,
      { HOLDFAST_HOME: "/proc/nowhere" },
    );
    expect({ exitCode, denied: stdout.includes('"deny"') }).toEqual({ exitCode: 0, denied: true });
  });

  it("still guards when its own folder is a file", () => {
    writeFileSync(join(home, ".holdfast"), "");
    const input = payload("PreToolUse", { tool_name: "Write", tool_input: absolute({ file_path: ".env" }) });
    const { exitCode, stdout } = hook("claude-code", "pre-tool", input);
    expect({ exitCode, denied: stdout.includes('"deny"') }).toEqual({ exitCode: 0, denied: true });
  });

  it("is quiet and allows everything with HOLDFAST=0", () => {
    const input = payload("PreToolUse", { tool_name: "Write", tool_input: absolute({ file_path: ".env" }) });
    expect(hook("claude-code", "pre-tool", input, project, { HOLDFAST: "0" })).toEqual(quiet);
  });

  it("does not lock anyone out when a part of it is gone", () => {
    const broken = join(base, "dist");
    spawnSync("cp", ["-r", dirname(bundle()), broken]);
    rmSync(join(broken, "hook.cjs"));
    chmodSync(join(broken, "holdfast.cjs"), 0o755);
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(broken, "holdfast.cjs"), "hook", "claude-code", "pre-tool"],
      { input: "{}", encoding: "utf8" },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });
});

const quiet = { exitCode: 0, stdout: "", stderr: "" };

interface Answer {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function hook(
  agent: string,
  event: string,
  input: string,
  cwd = project,
  more: Record<string, string> = {},
): Answer {
  const env = { PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8", ...more };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle(), "hook", agent, event], {
    input,
    cwd,
    env,
    encoding: "utf8",
    timeout: 30_000,
  });
  return { exitCode: status, stdout, stderr };
}

function payload(event: string, more: Record<string, unknown>): string {
  return JSON.stringify({ session_id: "s1", cwd: project, hook_event_name: event, ...more });
}

function claude(tool: string, input: Record<string, unknown>): Record<string, unknown> {
  return answer(
    hook("claude-code", "pre-tool", payload("PreToolUse", { tool_name: tool, tool_input: input })),
  );
}

function codex(tool: string, input: Record<string, unknown>): Record<string, unknown> {
  return answer(hook("codex", "pre-tool", payload("PreToolUse", { tool_name: tool, tool_input: input })));
}

function opencode(more: Record<string, unknown>): Record<string, unknown> {
  const input = JSON.stringify({
    event: "tool.execute.before",
    sessionID: "s1",
    directory: project,
    worktree: project,
    ...more,
  });
  return answer(hook("opencode", "pre-tool", input));
}

function stop(more: Record<string, unknown> = {}): Answer {
  return hook("claude-code", "turn-end", payload("Stop", { stop_hook_active: false, ...more }));
}

function answer({ exitCode, stdout, stderr }: Answer): Record<string, unknown> {
  if (exitCode !== 0 || stderr !== "") throw new Error(`exit ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}

function denied(answered: Record<string, unknown>): string {
  const { permissionDecision, permissionDecisionReason } = answered.hookSpecificOutput as Record<
    string,
    string
  >;
  if (permissionDecision !== "deny") throw new Error(`not denied: ${JSON.stringify(answered)}`);
  return permissionDecisionReason ?? "";
}

function absolute(input: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, key.endsWith("_path") ? join(project, value) : value]),
  );
}

function manifest(with_: {
  command: string;
  retries?: number;
  onFailure?: string;
  review?: number;
  git?: boolean;
}): void {
  put(
    "holdfast.yaml",
    [
      "version: 1",
      "tests:",
      `  command: ${JSON.stringify(with_.command)}`,
      `  on_failure: ${with_.onFailure ?? "retry-then-ask"}`,
      `  max_retries: ${with_.retries ?? 2}`,
      `review: { max_diff_lines: ${with_.review ?? 800} }`,
      `git: { run_tests: ${with_.git ?? true} }`,
      "",
    ].join("\n"),
  );
}

function put(path: string, text: string): void {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function git(...args: string[]): void {
  const { status, stderr } = spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    cwd: project,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

function problems(): Record<string, unknown>[] {
  const file = join(home, ".holdfast/problems.jsonl");
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
}
