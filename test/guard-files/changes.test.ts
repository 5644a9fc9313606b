import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agent } from "../../src/agents/claude-code/index.ts";
import type { ToolEvent } from "../../src/core/event.ts";
import { defaultSettings, type Settings } from "../../src/core/settings.ts";
import type { Tool } from "../../src/core/tool.ts";
import { decide } from "../../src/pipeline/decide.ts";
import { liveContext } from "../../src/runtime/context.ts";

/** A file tool and the shell may do the same things to the same files. */

let home = "";
let root = "";

beforeAll(() => {
  // Not below the temp folder, where nothing is anybody's treasure.
  mkdirSync(join(process.cwd(), ".cache"), { recursive: true });
  home = realpathSync(mkdtempSync(join(process.cwd(), ".cache/changes-")));
  root = join(home, "app");
  for (const file of ["app/src/a.ts", "app/notes/plan.md", "other/b.ts", ".bashrc", ".zshenv", "old.txt"])
    put(file);
  for (const file of [".claude/plans/x.md", ".codex/memories/m.md", ".config/tool/c.json", "data/x.csv"])
    put(file);
  for (const file of ["second/src/c.ts", "second/.claude/settings.json", "second/holdfast.yaml"]) put(file);
  for (const cwd of [root, join(home, "second")]) execFileSync("git", ["init", "-q"], { cwd });
  put("app/.git/hooks/pre-commit.local");
  symlinkSync(join(root, ".git"), join(root, "dotgit"));
  symlinkSync(root, join(home, "linked"));
  symlinkSync("/etc", join(root, "etc"));
  symlinkSync(home, join(root, "h"));
  symlinkSync(join(home, ".claude"), join(root, "plans"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function put(name: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), "text\n");
}

/** By default the session began after the files were made. */
async function judge(tool: Tool, settings: Settings = defaultSettings, since = Date.now() + 60_000) {
  const event: ToolEvent = {
    ...{ name: "pre-tool", native: "x", agent: "any", session: "s", cwd: root, projectHint: null },
    ...{ subagent: false, callId: null, tool },
  };
  const live = liveContext(event, root, root, { PATH: process.env.PATH }, home);
  live.state.updateSession("any", "s", (state) => ({ ...state, since }));
  const context = {
    ...live,
    world: { ...live.world, tmp: ["/nowhere/tmp"] },
    git: live.git,
    state: live.state,
  };
  const { verdict } = await decide(event, settings, context);
  return `${verdict.decision} ${verdict.by.join()}`.trim();
}

const write = (path: string, content = "x"): Tool => ({
  ...{ kind: "write", name: "Write", input: { file_path: path, content }, paths: [path] },
});
const edit = (path: string, input: Record<string, unknown> = {}): Tool => ({
  ...{ kind: "edit", name: "Edit", input: { file_path: path, ...input }, paths: [path] },
});
const remove = (path: string): Tool => ({ kind: "delete", name: "Delete", input: { path }, paths: [path] });
const patch = (text: string): Tool => ({ kind: "patch", name: "apply_patch", input: {}, patch: text });
const mcp = (name: string, input: Record<string, unknown>, ...paths: string[]): Tool => ({
  ...{ kind: "mcp", name, input, paths },
});

describe("git's own folder", () => {
  test.each([
    [".git/config", "ask files/git-folder"],
    [".git/config.worktree", "ask files/git-folder"],
    [".git/HEAD", "ask files/git-folder"],
    [".git/index", "ask files/git-folder"],
    [".git/info/attributes", "ask files/git-folder"],
    [".git/commondir", "ask files/git-folder"],
    [".git", "ask files/git-folder"],
    [".GIT/Config", "ask files/git-folder"],
    ["dotgit/config", "ask files/git-folder"],
    ["../other/.git/config", "ask files/git-folder"],
    [".git/hooks/pre-commit.local", "ask git/no-verify"],
    ["dotgit/hooks/pre-push", "ask git/no-verify"],
    [".git/COMMIT_EDITMSG", "allow"],
    [".gitignore", "allow"],
    [".github/dependabot.yml", "allow"],
    ["src/.gitkeep", "allow"],
    ["src/git/config", "allow"],
  ])("a write to %s: %s", async (path, said) => {
    expect([await judge(write(path)), await judge(edit(join(root, path)))]).toEqual([said, said]);
  });

  test("is asked about in a patch and for a tool of a server", async () => {
    const text = "*** Begin Patch\n*** Update File: .git/config\n@@\n+[core]\n*** End Patch\n";
    expect(await judge(patch(text))).toBe("ask files/git-folder");
    expect(await judge(mcp("mcp__fs__write_file", { path: ".git/config" }, ".git/config"))).toBe(
      "ask files/git-folder",
    );
  });

  test("follows the settings for commands", async () => {
    const with_ = (commands: Partial<Settings["commands"]>): Settings => ({
      ...defaultSettings,
      commands: { ...defaultSettings.commands, ...commands },
    });
    expect(await judge(write(".git/config"), with_({ risky: "off" }))).toBe("allow");
    expect(await judge(write(".git/config"), with_({ packs: { files: "deny" } }))).toBe(
      "deny files/git-folder",
    );
    expect(await judge(write(".git/config"), with_({ override: { "files/git-folder": "off" } }))).toBe(
      "allow",
    );
  });
});

describe("files outside the project", () => {
  test.each([
    ["~/.bashrc", "ask files/overwrite-outside"],
    ["~/.new-rc", "ask files/overwrite-outside"],
    ["~/.ssh/authorized_keys", "ask files/overwrite-outside"],
    ["~/.config/tool/c.json", "ask files/overwrite-outside"],
    ["~/old.txt", "ask files/overwrite-outside"],
    ["../other/b.ts", "ask files/overwrite-outside"],
    ["../second/src/c.ts", "allow nothing-lost"],
    ["../second/.claude/settings.json", "ask files/overwrite-outside"],
    ["../second/holdfast.yaml", "ask files/overwrite-outside"],
    ["/etc/hosts", "ask files/overwrite-outside"],
    ["/etc/cron.d/x", "ask files/overwrite-outside,system/cron"],
    ["~/new.txt", "allow nothing-lost"],
    ["../other/new.ts", "allow nothing-lost"],
    ["~/.claude/plans/x.md", "allow"],
    ["~/.claude/projects/-app/memory/MEMORY.md", "allow"],
    ["~/.codex/memories/m.md", "allow"],
    ["~/.gemini/GEMINI.md", "allow"],
    ["~/.gemini/antigravity/brain/1/task.md", "allow"],
    ["~/.factory/specs/x.md", "allow"],
    ["~/.copilot/session-state/1/plan.md", "allow"],
    ["~/.local/share/opencode/plans/p.md", "allow"],
    ["~/.claude/settings.json", "ask self"],
    ["~/.holdfast/bin/holdfast", "deny self"],
    ["/nowhere/tmp/x.txt", "allow"],
    ["/nowhere/tmp/a/b/c.py", "allow"],
  ])("a write to %s: %s", async (path, said) => {
    expect([path, await judge(write(path))]).toEqual([path, said]);
  });

  test("what this very session made there may be written again", async () => {
    expect(await judge(edit("~/old.txt"), defaultSettings, Date.now() - 60_000)).toBe("allow nothing-lost");
    expect(await judge(edit("~/.bashrc"), defaultSettings, Date.now() - 60_000)).toBe(
      "ask files/overwrite-outside",
    );
  });

  test.each([
    ["etc/hosts", "ask files/overwrite-outside"],
    ["h/old.txt", "ask files/overwrite-outside"],
    ["h/.bashrc", "ask files/overwrite-outside"],
    ["h/new.txt", "allow nothing-lost"],
    ["h/app/src/a.ts", "allow"],
    ["h/second/src/c.ts", "allow nothing-lost"],
    ["plans/plans/x.md", "allow nothing-lost"],
    ["h/.holdfast/bin/holdfast", "deny self"],
  ])("count through a link of the project as well: %s: %s", async (path, said) => {
    expect(await judge(write(path))).toBe(said);
  });

  test("a link is deleted itself, and what is behind it counts where it lies", async () => {
    expect(await judge(remove("etc"))).toBe("allow");
    expect(await judge(remove("h/old.txt"))).toBe("ask files/delete-outside");
    expect(await judge(remove("h/app/src/a.ts"))).toBe("allow");
  });

  test("the project counts as itself by whatever way it is reached", async () => {
    expect(await judge(write(join(home, "linked/src/a.ts")))).toBe("allow");
    expect(await judge(write(join(home, "linked/src/new.ts")))).toBe("allow");
    expect(await judge(write(join(home, "linked/.env")))).toBe("deny protect");
  });

  test("a delete there is asked about, one of a file in the project is not", async () => {
    expect(await judge(remove("~/old.txt"))).toBe("ask files/delete-outside");
    expect(await judge(remove("~/.bashrc"))).toBe("ask files/delete-outside");
    expect(await judge(remove("src/a.ts"))).toBe("allow");
    expect(await judge(remove("/nowhere/tmp/x.txt"))).toBe("allow");
  });

  test("a folder with work that git does not hold is asked about, as for rm -rf", async () => {
    expect(await judge(remove("notes"))).toBe("ask files/unsaved");
    expect(await judge(remove("notes/plan.md"))).toBe("allow");
    expect(await judge(remove("."))).toBe("ask files/rm-broad");
  });
});

describe("a tool of a server", () => {
  test.each([
    ["write_file", { path: "~/.bashrc" }, "ask files/overwrite-outside"],
    ["append_to_file", { path: "~/old.txt" }, "allow"],
    ["create_directory", { path: "~/old" }, "allow"],
    ["delete_file", { path: "~/old.txt" }, "ask files/delete-outside"],
    ["delete_directory", { path: "notes" }, "ask files/unsaved"],
    ["move_file", { source: "src/a.ts", destination: "~/old.txt" }, "ask files/overwrite-outside"],
    ["move_file", { source: "~/old.txt", destination: "src/b.ts" }, "allow"],
    ["rename_file", { path: "~/old.txt", newPath: "src/b.ts" }, "allow"],
    ["copy_file", { source: "~/.bashrc", destination: "src/b.sh" }, "allow"],
    ["copy_file", { source: "src/a.ts", destination: "~/.bashrc" }, "ask files/overwrite-outside"],
    ["unzip", { source: "~/data.zip", destination: "vendor" }, "allow"],
    // Paths of another world: a wiki, a web server, a drive.
    ["update_page", { path: "/team/handbook" }, "allow nothing-lost"],
    ["delete_page", { path: "/team/handbook" }, "allow nothing-lost"],
    ["put_object", { path: "/reports/2026.csv" }, "allow nothing-lost"],
    ["create_file", { path: "/spec" }, "allow nothing-lost"],
    ["read_file", { path: "~/.bashrc" }, "allow"],
  ])("%s %j: %s", async (name, input, said) => {
    expect(await judge(mcp(`mcp__x__${name}`, input, ...Object.values(input)))).toBe(said);
  });
});

describe("the arguments of a server's tool", () => {
  test.each([
    ["mcp__box__exec", { command: "cp", args: ["a", ".env"] }, "deny protect"],
    ["mcp__box__exec", { argv: ["rm", "-rf", "/"] }, "ask files/rm-broad"],
    ["mcp__box__run", { commands: ["ls", "git push -f"] }, "ask git/force-push"],
    ["mcp__fs__write_files", { files: { ".env": "A=2" } }, "deny protect"],
    ["mcp__fs__batchWrite", { files: { "src/a.ts": "x" } }, "allow"],
    ["mcp__github__push_files", { files: [{ path: ".env", content: "A=2" }] }, "deny protect"],
    ["mcp__github__push_files", { files: [{ path: "src/a.ts", content: "A=2" }] }, "allow"],
    ["mcp__composio__WRITE_FILE", { path: ".env" }, "deny protect"],
    ["mcp__fs__write_file", { output_path: ".env" }, "deny protect"],
    ["mcp__fs__write_file", { dir: "migrations", filename: "001.sql" }, "deny protect"],
    ["mcp__fs__write_file", { patch: "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\n" }, "deny protect"],
    ["mcp__fs__copy_file", { source: ".env", destination: "copy" }, "allow"],
    ["mcp__fs__move_file", { from: ".env", to: "copy" }, "deny protect"],
    ["mcp__fs__store_file", { path: ".env" }, "deny protect"],
    ["mcp__pg__query", { query: "drop table users" }, "ask database/drop"],
    ["mcp__db__execute_sql", { sql: "DROP TABLE users" }, "ask database/drop"],
    ["mcp__db__execute_sql", { sql: "SELECT * FROM users" }, "allow"],
    ["mcp__docs__query_docs", { query: "DROP TABLE users" }, "allow"],
    ["mcp__desk__start_process", { command: "git push -f" }, "ask git/force-push"],
  ])("%s %j: %s", async (tool_name, tool_input, said) => {
    const payload = { hook_event_name: "PreToolUse", session_id: "s", cwd: root, tool_name, tool_input };
    const event = agent.parse(payload, { argv: [], env: {}, event: "pre-tool", cwd: root });
    expect(event?.name === "pre-tool" ? await judge(event.tool) : null).toBe(said);
  });
});

describe("what comes into a file", () => {
  test.each([
    ["~/.bashrc", "export HOLDFAST=0\n"],
    ["~/.zshenv", "export HOLDFAST_HOME=/tmp/x\n"],
    [".envrc", "export HOLDFAST=off\n"],
    [".envrc", "unset HOLDFAST_HOME\n"],
    ["package.json", '{"scripts": {"commit": "HOLDFAST=0 git commit"}}'],
    ["Makefile", "commit:\n\tHOLDFAST=0 git commit -m x\n"],
    [".devcontainer/devcontainer.json", '{"containerEnv": {"HOLDFAST": "0"}}'],
    [".vscode/settings.json", '{"terminal.integrated.env.linux": {"HOLDFAST": "0"}}'],
    [".claude/settings.json", '{"env": {"HOLDFAST": "0"}}'],
    [".husky/pre-commit", "export HOLDFAST=0\n"],
  ])("and switches Holdfast off is refused: %s %s", async (path, content) => {
    const added = content.replace(/^/gm, "+").replace(/\+$/, "");
    const texts = [
      `*** Begin Patch\n*** Update File: ${path}\n@@\n${added}\n*** End Patch\n`,
      `--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n${added}\n`,
    ];
    const tools = [
      write(path, content),
      edit(path, { edits: [{ old_string: "", new_string: content }] }),
      mcp("mcp__fs__insert_lines", { path, text: content }, path),
      ...(path.startsWith("~") ? [] : texts.map(patch)),
    ];
    for (const tool of tools) expect([tool, await judge(tool)]).toEqual([tool, "deny self"]);
  });

  test.each([
    ["package.json", '{"scripts": {"pretest": "holdfast uninstall --yes"}}'],
    ["run.sh", "#!/bin/sh\nholdfast snooze all 1h\n"],
    [".github/actions/x/action.yml", "runs:\n  steps:\n    - run: holdfast uninstall\n"],
  ])("and runs what is the person's to type is asked about: %s %s", async (path, content) => {
    expect(await judge(write(path, content))).toBe("ask self");
  });

  test.each([
    ["README.md", "Switch it off with `HOLDFAST=0` or\nholdfast uninstall\n"],
    [
      "src/a.ts",
      "const env = { HOLDFAST: 0 };\n// holdfast allow k3f9a\nconst x = `\nholdfast allow k3f9a`;\n",
    ],
    ["test/env.test.ts", "export HOLDFAST=0\n"],
    [
      ".husky/pre-commit",
      'h="$' + '{HOLDFAST_HOME:-$HOME/.holdfast}/bin/holdfast"; "$h" hook git pre-commit\n',
    ],
    ["~/.claude/plans/x.md", "Run `holdfast install`, HOLDFAST=0 switches it off.\n"],
    [".envrc", "# HOLDFAST=0 would switch the checks off\nexport A=1\n"],
    [".envrc", '[ "$HOLDFAST" = 0 ] || echo on\n'],
    [".envrc", "export HOLDFAST=1\n"],
    ["package.json", '{"scripts": {"guard": "holdfast doctor"}, "devDependencies": {"holdfast": "^1"}}'],
  ])("goes through where it only speaks about it: %s %s", async (path, content) => {
    expect((await judge(write(path, content))).replace(" nothing-lost", "")).toBe("allow");
  });

  test("what an edit takes out does not count", async () => {
    expect(await judge(edit(".envrc", { old_string: "export HOLDFAST=0", new_string: "" }))).toBe("allow");
    const text = "*** Begin Patch\n*** Update File: .envrc\n@@\n-export HOLDFAST=0\n*** End Patch\n";
    expect(await judge(patch(text))).toBe("allow");
  });

  test("in a patch each file stands for itself", async () => {
    const text =
      "*** Begin Patch\n*** Add File: docs.md\n+export HOLDFAST=0\n*** Update File: .envrc\n@@\n+export A=1\n*** End Patch\n";
    expect(await judge(patch(text))).toBe("allow");
  });
});
