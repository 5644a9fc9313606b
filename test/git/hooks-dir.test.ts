import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitHooksDir } from "../../src/git/hooks-dir.ts";
import { gitEnvironment } from "../../src/runtime/environment.ts";
import { gitEnv, newRepo, tempDir } from "./repo.ts";

const dirOf = (root: string, home: string) => gitHooksDir({ cwd: root, env: gitEnvironment(gitEnv(home)) });

describe("the hooks directory", () => {
  it("is the repository's own, for every worktree", async () => {
    const { root, home, git, commit } = newRepo();
    commit({ a: "a" });
    const tree = join(tempDir(), "tree");
    git("worktree", "add", "-q", tree);
    const own = { dir: join(root, ".git/hooks"), insideTree: false, hooksPath: null };
    expect([await dirOf(root, home), await dirOf(tree, home)]).toEqual([own, own]);
  });

  it.each([
    [".husky", true],
    ["./tools/hooks", true],
    ["../shared-hooks", false],
    [".git/other-hooks", false],
  ])("is core.hooksPath %s, inside the tree: %s", async (hooksPath, insideTree) => {
    const { root, home, git } = newRepo();
    git("config", "core.hooksPath", hooksPath);
    expect(await dirOf(root, home)).toEqual({ dir: join(root, hooksPath), insideTree, hooksPath });
  });

  it("is found in the home folder, and through symlinks", async () => {
    const { root, home, git } = newRepo();
    git("config", "--global", "core.hooksPath", "~/hooks");
    expect(await dirOf(root, home)).toEqual({
      dir: join(home, "hooks"),
      insideTree: false,
      hooksPath: join(home, "hooks"),
    });
    mkdirSync(join(root, "hooks"));
    symlinkSync(join(root, "hooks"), join(home, "hooks"));
    expect(await dirOf(root, home)).toMatchObject({ insideTree: true });
  });

  it("is nowhere without a repository", async () => {
    expect(await dirOf(tempDir(), tempDir())).toBeNull();
  });
});
