import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProject } from "../../src/git/project.ts";
import { newRepo, repoAt, tempDir } from "./repo.ts";

const rootOf = (cwd: string | null, hint: string | null = null, home = "/home/nobody") =>
  findProject(cwd, hint, home)?.root ?? null;

function repository(root: string) {
  return { root, kind: "repository", gitDir: join(root, ".git"), commonDir: join(root, ".git") };
}

describe("findProject", () => {
  it("finds the repository from its root, a folder below, a deleted folder, and inside .git", () => {
    const { root } = newRepo();
    mkdirSync(join(root, "a/b"), { recursive: true });
    const found = ["", "a/b", "a/gone/deeper", ".git", ".git/hooks"].map((cwd) =>
      findProject(join(root, cwd), null, "/home/nobody"),
    );
    expect(found).toEqual(Array(5).fill(repository(root)));
  });

  it("finds it from below when the whole folder is deleted afterwards", () => {
    const { root } = newRepo();
    const cwd = join(root, "work");
    mkdirSync(cwd);
    rmSync(cwd, { recursive: true });
    expect(rootOf(cwd)).toBe(root);
  });

  it("takes the hint when there is no working directory, or it lies above", () => {
    const { root } = newRepo();
    expect([rootOf(null, root), rootOf(join(root, ".."), join(root, "src")), rootOf("/", root)]).toEqual([
      root,
      root,
      root,
    ]);
  });

  it("takes the only repository directly below an agent that started above, but does not choose among two", () => {
    const above = tempDir();
    mkdirSync(join(above, "notes"));
    const { root } = newRepo(join(above, "app"));
    expect([rootOf(above), rootOf(above, above)]).toEqual([root, root]);
    newRepo(join(above, "other"));
    expect(rootOf(above)).toBe(null);
  });

  it("gives a linked worktree and a submodule their own root", () => {
    const main = newRepo();
    main.commit({ "a.txt": "a" });
    const tree = join(tempDir(), "tree");
    main.git("worktree", "add", "-q", tree);
    const library = newRepo();
    library.commit({ "lib.txt": "l" });
    main.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.root, "lib");
    expect([
      findProject(join(tree, "x"), null, "/h"),
      findProject(join(main.root, "lib"), null, "/h"),
    ]).toEqual([
      {
        root: tree,
        kind: "worktree",
        gitDir: join(main.root, ".git/worktrees/tree"),
        commonDir: join(main.root, ".git"),
      },
      {
        root: join(main.root, "lib"),
        kind: "submodule",
        gitDir: join(main.root, ".git/modules/lib"),
        commonDir: join(main.root, ".git/modules/lib"),
      },
    ]);
  });

  it("knows the worktrees of a bare repository, and no project inside it", () => {
    const main = newRepo();
    main.commit({ "a.txt": "a" });
    const dir = tempDir();
    main.git("clone", "-q", "--bare", main.root, join(dir, "repo.git"));
    repoAt(join(dir, "repo.git"), main.home).git("worktree", "add", "-q", join(dir, "wt"));
    expect([rootOf(join(dir, "wt")), rootOf(join(dir, "repo.git/hooks"))]).toEqual([join(dir, "wt"), null]);
  });

  it("is not fooled by an empty .git folder or a .git file without a target", () => {
    const { root } = newRepo();
    mkdirSync(join(root, "x/.git"), { recursive: true });
    mkdirSync(join(root, "y"));
    writeFileSync(join(root, "y/.git"), "nonsense");
    expect([rootOf(join(root, "x")), rootOf(join(root, "y"))]).toEqual([root, root]);
  });

  it("keeps a working tree whose repository is gone as a project without git", () => {
    const dir = tempDir();
    writeFileSync(join(dir, ".git"), "gitdir: ../gone/.git/worktrees/x\n");
    expect(findProject(dir, null, "/h")).toEqual({
      root: dir,
      kind: "worktree",
      gitDir: null,
      commonDir: null,
    });
  });

  it("lets a repository in the home folder claim only an agent that runs right there", () => {
    const { root: home } = newRepo();
    mkdirSync(join(home, "project"));
    writeFileSync(join(home, "package.json"), "{}");
    expect([rootOf(home, null, home), rootOf(join(home, "project"), null, home)]).toEqual([home, null]);
  });

  it("finds a project without git by its manifest or package file, not in a folder open to all", () => {
    const dir = tempDir();
    mkdirSync(join(dir, "app/src"), { recursive: true });
    writeFileSync(join(dir, "app/holdfast.yaml"), "");
    writeFileSync(join(dir, "package.json"), "{}");
    const folder = (root: string) => ({ root, kind: "folder", gitDir: null, commonDir: null });
    expect(findProject(join(dir, "app/src"), null, "/h")).toEqual(folder(join(dir, "app")));
    expect(findProject(join(dir, "else"), null, "/h")).toEqual(folder(dir));
    chmodSync(dir, 0o1777);
    expect([rootOf(join(dir, "else")), rootOf(null, null)]).toEqual([null, null]);
  });
});
