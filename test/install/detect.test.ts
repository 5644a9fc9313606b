import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setup as claudeCode } from "../../src/agents/claude-code/setup.ts";
import { setup as codex } from "../../src/agents/codex/setup.ts";
import { setup as opencode } from "../../src/agents/opencode/setup.ts";
import { detectAgents, findProgram, foreignHooks, readMachine } from "../../src/install/detect.ts";
import { itemsFor } from "../../src/install/plan.ts";
import { createPlace, install, type Place, put } from "./support/place.ts";

let place: Place;
beforeEach(() => {
  place = createPlace();
});
afterEach(() => rmSync(dirname(place.root), { recursive: true, force: true }));

const at = (cwd: string) => ({
  cwd,
  home: place.home,
  env: { PATH: process.env.PATH },
  platform: process.platform,
});
const git = (...args: string[]) =>
  execFileSync("git", ["-C", place.root, "-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    env: { PATH: process.env.PATH ?? "", HOME: place.home, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "pipe",
  });

describe("agents on this machine", () => {
  it("finds programs on PATH and folders in the home, and starts nothing", () => {
    const bin = join(place.home, "bin");
    put(join(bin, "codex"), "#!/bin/sh\necho started >>started\n", 0o755);
    put(join(bin, "claude"), "not executable", 0o644);
    mkdirSync(join(bin, "opencode"), { recursive: true });
    mkdirSync(join(place.home, ".claude"));
    const machine = { ...place.site.machine, env: { PATH: `${bin}:/nowhere:relative:` } };
    expect(detectAgents([claudeCode, codex, opencode], machine)).toEqual([
      { setup: claudeCode, program: null, folders: [join(place.home, ".claude")] },
      { setup: codex, program: join(bin, "codex"), folders: [] },
    ]);
  });

  it("never takes a program from a relative entry of PATH", () => {
    expect(findProgram("package.json", { PATH: ".:" }, "linux")).toBeNull();
    expect(findProgram("sh", { PATH: "/bin" }, "linux")).toBe("/bin/sh");
    expect(findProgram("sh", {}, "linux")).toBeNull();
  });

  it("counts hooks of others, not ours", () => {
    const { machine } = place.site;
    const file = put(
      join(place.root, ".claude", "settings.json"),
      JSON.stringify({
        hooks: {
          PreToolUse: [{ hooks: [{ command: "a" }] }, { hooks: [] }],
          Other: [{ hooks: [{ command: "b" }] }],
        },
      }),
    );
    expect(foreignHooks(claudeCode, "project", machine)).toEqual([{ file, count: 3 }]);
    install(place, itemsFor([{ setup: claudeCode, scope: "project" }], machine));
    expect(foreignHooks(claudeCode, "project", machine)).toEqual([{ file, count: 3 }]);
    expect(foreignHooks(codex, "project", machine)).toEqual([]);
    put(file, "{ broken");
    expect(foreignHooks(claudeCode, "project", machine)).toEqual([]);
  });
});

describe("where git runs hooks from", () => {
  beforeEach(() => {
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "first");
  });

  it("in a repository, seen from a folder below it", async () => {
    mkdirSync(join(place.root, "src", "deep"), { recursive: true });
    const machine = await readMachine(at(join(place.root, "src", "deep")));
    expect(machine).toEqual({
      home: place.home,
      root: place.root,
      env: { PATH: process.env.PATH },
      platform: process.platform,
      gitHooks: { dir: join(place.root, ".git", "hooks"), insideTree: false },
    });
  });

  it("in a worktree they are those of the main checkout", async () => {
    const tree = join(dirname(place.root), "tree");
    git("worktree", "add", "-q", tree);
    const machine = await readMachine(at(tree));
    expect(machine.root).toBe(tree);
    expect(machine.gitHooks).toEqual({ dir: join(place.root, ".git", "hooks"), insideTree: false });
  });

  it("core.hooksPath inside the repository, outside it, and through a symlink", async () => {
    git("config", "core.hooksPath", ".husky/_");
    expect((await readMachine(at(place.root))).gitHooks).toEqual({
      dir: join(place.root, ".husky", "_"),
      insideTree: true,
    });
    const outside = join(place.home, "hooks");
    mkdirSync(outside);
    git("config", "core.hooksPath", outside);
    expect((await readMachine(at(place.root))).gitHooks).toEqual({
      dir: outside,
      insideTree: false,
      shared: true,
    });
    symlinkSync(place.root, join(place.home, "link"));
    git("config", "core.hooksPath", join(place.home, "link", ".githooks"));
    mkdirSync(join(place.root, ".githooks"));
    expect((await readMachine(at(place.root))).gitHooks?.insideTree).toBe(true);
  });

  it("outside a repository there are none, and a leftover GIT_DIR changes nothing", async () => {
    expect((await readMachine(at(place.home))).gitHooks).toBeNull();
    const env = { PATH: process.env.PATH, GIT_DIR: "/nowhere/.git", GIT_WORK_TREE: "/nowhere" };
    const machine = await readMachine({ ...at(realpathSync(place.root)), env });
    expect(machine.gitHooks?.dir).toBe(join(place.root, ".git", "hooks"));
  });
});
