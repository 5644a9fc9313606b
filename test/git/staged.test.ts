import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Staged } from "../../src/core/repository.ts";
import { openRepository } from "../../src/git/repository.ts";
import { program } from "../runtime/program.ts";
import { gitEnv, newRepo, type Repo, repoAt, tempDir } from "./repo.ts";

let script = "";

beforeAll(async () => {
  script = await program(
    tempDir(),
    `import { writeFileSync } from "node:fs";
     import { openRepository } from "@/git/repository.ts";
     const repo = openRepository(process.cwd(), process.env, "commit", (words) => console.error(words));
     writeFileSync(process.env.HOME + "/staged.json", JSON.stringify(await repo.staged()));`,
  );
});

/** Makes git run the question from its own pre-commit hook, as it will be. */
function hooked(repo: Repo): Repo {
  const hook = join(repo.root, ".git/hooks/pre-commit");
  mkdirSync(join(hook, ".."), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\nexec "${process.execPath}" "${script}"\n`);
  chmodSync(hook, 0o755);
  return repo;
}

/** What the hook saw during `commit`, as `<change> <name>`; null when it did not run. */
function seen(repo: Repo, commit: () => unknown) {
  const file = join(repo.home, "staged.json");
  rmSync(file, { force: true });
  commit();
  if (!existsSync(file)) return null;
  const staged = JSON.parse(readFileSync(file, "utf8")) as Staged;
  expect(staged.kind).toBe("staged");
  const { files, otherChanges, fingerprint } = staged;
  for (const { path, name } of files) expect(path).toBe(join(repo.root, name));
  return { files: files.map(({ change, name }) => `${change} ${name}`).sort(), otherChanges, fingerprint };
}

const only = (...files: string[]) => ({ files, otherChanges: false, fingerprint: expect.any(String) });
const besides = (...files: string[]) => ({ files, otherChanges: true, fingerprint: null });

function started(): Repo {
  const repo = newRepo();
  repo.commit({ "a.txt": "a\n", "b.txt": "b\n", ".env": "OLD=1\n" });
  return hooked(repo);
}

describe("what a commit is about to record", () => {
  it("is what is staged, not what lies in the working tree", () => {
    const repo = started();
    repo.write("a.txt", "staged\n");
    repo.git("add", "a.txt");
    repo.write("a.txt", "later\n");
    repo.write(".env", "not staged\n");
    expect(seen(repo, () => repo.git("commit", "-qm", "x"))).toEqual(besides("modified a.txt"));
  });

  it("includes deletions, both sides of a rename, and names of any kind", () => {
    const repo = started();
    repo.git("rm", "-q", "--cached", ".env");
    rmSync(join(repo.root, ".env"));
    repo.git("mv", "b.txt", "größe.txt");
    repo.write('quo"ted\n\\name.txt', "x");
    repo.write("sub/🔑.pem", "x");
    repo.git("add", "-A");
    expect(seen(repo, () => repo.git("commit", "-qm", "x"))).toEqual(
      only(
        "added größe.txt",
        'added quo"ted\n\\name.txt',
        "added sub/🔑.pem",
        "deleted .env",
        "deleted b.txt",
      ),
    );
  });

  it("is read from the index git made for this commit", () => {
    const repo = started();
    repo.write("a.txt", "1\n");
    repo.write(".env", "NEW=1\n");
    expect(seen(repo, () => repo.git("commit", "-qm", "x", "a.txt"))).toEqual(besides("modified a.txt"));
    expect(seen(repo, () => repo.git("commit", "-qam", "x"))).toEqual(only("modified .env"));
  });

  it("is everything in the first commit", () => {
    const repo = hooked(newRepo());
    repo.write(".env", "A=1\n");
    repo.git("add", ".env");
    expect(seen(repo, () => repo.git("commit", "-qm", "x"))).toEqual(only("added .env"));
  });

  it("is only the addition when a commit is amended", () => {
    const repo = started();
    repo.write("a.txt", "1\n");
    repo.git("add", "a.txt");
    expect(seen(repo, () => repo.git("commit", "-q", "--amend", "-m", "x"))).toEqual(only("modified a.txt"));
    expect(seen(repo, () => repo.git("commit", "-q", "--amend", "-m", "y"))).toEqual(only());
  });

  it("foretells the fingerprint of the tree after the commit, and leaves the index alone", async () => {
    const repo = started();
    repo.write("a.txt", "1\n");
    const before = seen(repo, () => repo.git("commit", "-qam", "x"));
    const tree = await openRepository(repo.root, gitEnv(repo.home), "ask", () => {}).tree();
    expect(tree).toMatchObject({ clean: true, fingerprint: before?.fingerprint });
    expect(repo.git("fsck", "--no-dangling")).toBe("");
  });
});

describe("while commits are brought together", () => {
  /** `main` and `side` both change a.txt; `side` also changes .env and adds a key. */
  function diverged(): Repo {
    const repo = newRepo();
    repo.commit({ "a.txt": "a\n", ".env": "OLD=1\n" });
    repo.git("checkout", "-qb", "side");
    repo.commit({ "a.txt": "side\n", ".env": "SIDE=1\n", "side.pem": "k\n" });
    repo.git("checkout", "-q", "main");
    repo.commit({ "a.txt": "main\n" });
    return hooked(repo);
  }

  const conflicting = (repo: Repo, ...args: string[]) =>
    expect(() => repo.git(...args)).toThrow("Command failed");

  it("a merge's files count only where they differ from every parent", () => {
    const repo = diverged();
    conflicting(repo, "merge", "side");
    repo.write("a.txt", "both\n");
    repo.git("add", "-A");
    expect(seen(repo, () => repo.git("commit", "-qm", "merge"))).toEqual(only("modified a.txt"));
  });

  it("a protected file changed while merging does count", () => {
    const repo = diverged();
    conflicting(repo, "merge", "side");
    repo.write("a.txt", "both\n");
    repo.write(".env", "MINE=1\n");
    repo.git("add", "-A");
    expect(seen(repo, () => repo.git("commit", "-qm", "merge"))?.files).toEqual([
      "modified .env",
      "modified a.txt",
    ]);
  });

  it("a cherry-picked or rebased commit's own files do not count, what was resolved does", () => {
    for (const [start, finish] of [
      [
        ["cherry-pick", "side"],
        ["commit", "-qm", "picked"],
      ],
      [
        ["rebase", "main", "side"],
        ["commit", "-qm", "rebased"],
      ],
    ] as const) {
      const repo = diverged();
      conflicting(repo, ...start);
      repo.write("a.txt", "both\n");
      repo.git("add", "-A");
      expect(seen(repo, () => repo.git(...finish))).toEqual(only("modified a.txt"));
    }
  });

  it("a finished rebase excuses nothing any more", () => {
    const repo = diverged();
    conflicting(repo, "rebase", "main", "side");
    repo.write("a.txt", "both\n");
    repo.git("add", "-A");
    repo.git("-c", "core.editor=true", "rebase", "--continue");
    repo.git("rm", "-q", "side.pem");
    expect(seen(repo, () => repo.git("commit", "-qm", "x"))).toEqual(only("deleted side.pem"));
    repo.git("checkout", "-q", "HEAD~1", "--", "side.pem");
    expect(seen(repo, () => repo.git("commit", "-qm", "x"))).toEqual(only("added side.pem"));
  });

  it("a revert's files do not count where they are as before the reverted commit", () => {
    const repo = diverged();
    repo.git("checkout", "-q", "side");
    repo.commit({ "a.txt": "later\n" });
    conflicting(repo, "revert", "--no-edit", "HEAD~1");
    repo.write("a.txt", "resolved\n");
    repo.git("add", "-A");
    expect(seen(repo, () => repo.git("commit", "-qm", "reverted"))).toEqual(only("modified a.txt"));
  });
});

describe("elsewhere", () => {
  it("works in a linked worktree", () => {
    const main = started();
    const root = join(tempDir(), "tree");
    main.git("worktree", "add", "-q", root);
    const tree = repoAt(root, main.home);
    tree.write(".env", "NEW=1\n");
    expect(seen(tree, () => tree.git("commit", "-qam", "x"))).toEqual(only("modified .env"));
  });

  it("works in a submodule", () => {
    const library = newRepo();
    library.commit({ "lib.txt": "l\n" });
    const main = started();
    main.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.root, "lib");
    const lib = repoAt(join(main.root, "lib"), main.home);
    const hook = join(main.root, ".git/modules/lib/hooks/pre-commit");
    mkdirSync(join(hook, ".."), { recursive: true });
    writeFileSync(hook, readFileSync(join(main.root, ".git/hooks/pre-commit")), { mode: 0o755 });
    lib.write("secret.key", "x");
    lib.git("add", "-A");
    expect(seen(lib, () => lib.git("commit", "-qm", "x"))).toEqual(only("added secret.key"));
  });

  it("works where the repository lies apart from its working tree", () => {
    const repo = started();
    const apart = join(tempDir(), "apart.git");
    repo.git("clone", "-q", "--bare", repo.root, apart);
    mkdirSync(join(apart, "hooks"), { recursive: true });
    writeFileSync(join(apart, "hooks/pre-commit"), readFileSync(join(repo.root, ".git/hooks/pre-commit")), {
      mode: 0o755,
    });
    const tree = repoAt(tempDir(), repo.home);
    const place = [`--git-dir=${apart}`, `--work-tree=${tree.root}`];
    tree.git(...place, "-c", "core.bare=false", "checkout", "-q", "-f", "main");
    tree.write(".env", "NEW=1\n");
    expect(
      seen(tree, () => tree.git(...place, "-c", "core.bare=false", "commit", "-qam", "x"))?.files,
    ).toEqual(["modified .env"]);
  });
});
