import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundle } from "./setup/bundle.ts";

// An agent that was started in one folder and has moved to another: a stranger's clone, a dependency, a package of
// the same repository, another working tree. What its person decided where it was started stays in force.
let base: string;
let project: string;
let home: string;

const off = "protect: { paths: [], holdfast: false }\ncommands: { risky: off }\n";

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-moved-")));
  project = join(base, "project");
  home = join(base, "home");
  mkdirSync(home);
  put(
    "project/holdfast.yaml",
    'protect: { paths: [.env, "config/**"] }\ntests: { command: "pwd >> ../ran" }\n',
  );
  put("project/src/a.ts", "export {};\n");
  repository("project");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe.each([
  ["a clone inside the project", "project/clone", true],
  ["a dependency", "project/node_modules/evil", false],
  ["another repository", "other", true],
  ["a folder elsewhere", "elsewhere", false],
])("%s that switches everything off", (_, folder, isRepository) => {
  beforeEach(() => {
    put(`${folder}/holdfast.yaml`, `${off}tests: { command: "touch ${join(base, "theirs")}" }\n`);
    if (isRepository) repository(folder);
  });

  it.each([
    ["Write", { file_path: "project/.env" }, "deny"],
    ["Write", { file_path: "project/config/prod.yml" }, "deny"],
    ["Write", { file_path: "project/holdfast.yaml" }, "deny"],
    ["Bash", { command: "git push -f" }, "ask"],
    ["Bash", { command: "export HOLDFAST=0" }, "deny"],
    ["Bash", { command: "rm -rf ~" }, "ask"],
    ["Bash", { command: "ls" }, "allow"],
  ])("does not: %s %j", (tool, input, decision) => {
    expect(decided(tool, input, folder)).toBe(decision);
  });

  it("does not say which tests run", () => {
    put("project/src/a.ts", "export const a = 1;\n");
    stop(folder);
    expect({ ran: ran(), theirs: existsSync(join(base, "theirs")) }).toEqual({
      ran: [project],
      theirs: false,
    });
  });
});

describe("a package with a manifest of its own", () => {
  beforeEach(() =>
    put("project/packages/a/holdfast.yaml", `protect: { paths: [only-a.txt] }\ncommands: { risky: off }\n`),
  );

  it("adds to what is protected, and takes nothing away, when the agent was started at the root", () => {
    const asked = (file: string) => decided("Write", { file_path: file }, "project/packages/a");
    expect({
      own: asked("project/packages/a/only-a.txt"),
      root: asked("project/config/prod.yml"),
      push: decided("Bash", { command: "git push -f" }, "project/packages/a"),
    }).toEqual({ own: "deny", root: "deny", push: "ask" });
  });

  it("decides alone when the agent was started there", () => {
    const started = "project/packages/a";
    expect({
      own: decided("Write", { file_path: "project/packages/a/only-a.txt" }, started, started),
      push: decided("Bash", { command: "git push -f" }, started, started),
    }).toEqual({ own: "deny", push: "allow" });
  });

  it("lets a person allow one call that only it stops", () => {
    const input = { file_path: join(project, "packages/a/only-a.txt"), content: "x" };
    const reason = reasonOf("Write", input, "project/packages/a");
    const id = /holdfast allow (\w+)/.exec(reason)?.[1] ?? "";
    approve(id);
    expect(decided("Write", input, "project/packages/a")).toBe("allow");
    expect(decided("Write", input, "project/packages/a")).toBe("deny");
  });
});

describe.each(["project/.claude/worktrees/b", "beside"])(
  "another working tree of the repository: %s",
  (tree) => {
    beforeEach(() => git("project", "worktree", "add", "-q", "-b", "topic", join(base, tree)));

    it.each(["project", tree])("is protected like the first, from %s", (cwd) => {
      expect({
        config: decided("Write", { file_path: `${tree}/config/prod.yml` }, cwd),
        first: decided("Write", { file_path: "project/config/prod.yml" }, cwd),
        manifest: decided("Write", { file_path: `${tree}/holdfast.yaml` }, cwd),
        shell: decided("Bash", { command: `echo x > ${join(base, tree)}/config/prod.yml` }, cwd),
        source: decided("Write", { file_path: `${tree}/src/a.ts` }, cwd),
      }).toEqual({ config: "deny", first: "deny", manifest: "deny", shell: "deny", source: "allow" });
    });

    it("is where the tests run while the agent works there", () => {
      put(`${tree}/src/a.ts`, "export const a = 1;\n");
      spawnSync("mkdir", ["-p", join(base, tree, "..")]);
      stop(tree);
      const found = readFileSync(join(base, tree, "../ran"), "utf8").trim();
      expect(found).toBe(join(base, tree));
    });
  },
);

it("an agent that says nothing about its start does not inherit it from the one that started it", () => {
  put("other/holdfast.yaml", "protect: { paths: [only-here.txt] }\n");
  repository("other");
  const input = JSON.stringify({
    session_id: "s",
    cwd: join(base, "other"),
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "echo x > only-here.txt" },
  });
  expect(hook("codex", "pre-tool", input, "other").includes('"deny"')).toBe(true);
});

function decided(tool: string, input: Record<string, string>, cwd: string, started = "project"): string {
  const out = called(tool, input, cwd, started);
  return out === "" ? "allow" : (JSON.parse(out).hookSpecificOutput?.permissionDecision ?? "allow");
}

function reasonOf(tool: string, input: Record<string, string>, cwd: string): string {
  return JSON.parse(called(tool, input, cwd, "project")).hookSpecificOutput.permissionDecisionReason;
}

function called(tool: string, input: Record<string, string>, cwd: string, started: string): string {
  const file = input.file_path;
  const tool_input =
    file === undefined || file.startsWith("/") ? input : { file_path: join(base, file), content: "x" };
  const event = {
    session_id: "s",
    cwd: join(base, cwd),
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input,
  };
  return hook("claude-code", "pre-tool", JSON.stringify(event), cwd, started);
}

function stop(cwd: string): void {
  const event = { session_id: "s", cwd: join(base, cwd), hook_event_name: "Stop", stop_hook_active: false };
  hook("claude-code", "turn-end", JSON.stringify(event), cwd);
}

function hook(agent: string, event: string, input: string, cwd: string, started = "project"): string {
  const env = { PATH: process.env.PATH ?? "", HOME: home, CLAUDE_PROJECT_DIR: join(base, started) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bundle(), "hook", agent, event], {
    input,
    cwd: join(base, cwd),
    env,
    encoding: "utf8",
  });
  if (status !== 0 || stderr !== "") throw new Error(`exit ${status}: ${stderr}`);
  return stdout;
}

/** What `holdfast allow` writes for a call that was stopped; it asks for a terminal itself. */
function approve(id: string): void {
  const lines = readFileSync(join(home, ".holdfast/journal.jsonl"), "utf8").trim().split("\n");
  const key = lines.map((line) => JSON.parse(line)).find((entry) => entry.id === id)?.call;
  put(`home/.holdfast/approvals/${key}.json`, JSON.stringify({ key, until: Date.now() + 60_000 }));
}

function ran(): string[] {
  return readFileSync(join(base, "ran"), "utf8").trim().split("\n");
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

function repository(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "start");
}

function git(folder: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  const { status, stderr } = spawnSync("git", [...identity, ...args], {
    cwd: join(base, folder),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}
