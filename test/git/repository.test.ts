import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/git/repository.ts";
import { parseStatus } from "../../src/git/status.ts";
import { gitEnv, newRepo, type Repo, repoAt, tempDir } from "./repo.ts";

function asked(repo: Repo) {
  return openRepository(repo.root, gitEnv(repo.home), "ask", (words) => {
    throw new Error(words);
  });
}

async function print(repo: Repo): Promise<string> {
  const tree = await asked(repo).tree();
  return tree.kind === "tree" ? tree.fingerprint : tree.kind;
}

/** Whether each step changes the fingerprint. */
async function changes(repo: Repo, steps: readonly (() => unknown)[]): Promise<boolean[]> {
  const seen: boolean[] = [];
  let last = await print(repo);
  for (const step of steps) {
    step();
    const next = await print(repo);
    seen.push(next !== last);
    last = next;
  }
  return seen;
}

function started(): Repo {
  const repo = newRepo();
  repo.commit({ "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "out/\n" });
  return repo;
}

describe("the fingerprint", () => {
  it("follows every change of content, also of a file that was dirty before", async () => {
    const repo = started();
    const { write, root } = repo;
    const steps = [
      () => write("a.txt", "1\n"),
      () => write("a.txt", "2\n"),
      () => write("new.txt", "x"),
      () => write("new.txt", "y"),
      () => chmodSync(join(root, "new.txt"), 0o755),
      () => rmSync(join(root, "b.txt")),
      () => symlinkSync("one", join(root, "link")),
      () => {
        rmSync(join(root, "link"));
        symlinkSync("two", join(root, "link"));
      },
      () => write('größe \n\t"x".txt', "1"),
      () => write('größe \n\t"x".txt', "2"),
    ];
    expect(await changes(repo, steps)).toEqual(steps.map(() => true));
  });

  it("does not follow what changes no content", async () => {
    const repo = started();
    const { write, git, root } = repo;
    write("a.txt", "1\n");
    write("new.txt", "x");
    const steps = [
      () => utimesSync(join(root, "a.txt"), 1, 1),
      () => git("add", "-A"),
      () => write("out/build.js", "x"),
      () => write(".holdfast/state/project.json", "{}"),
      () => write("a.txt", "1\n"),
    ];
    expect(await changes(repo, steps)).toEqual(steps.map(() => false));
  });

  it("of a clean tree is that of its content, whatever the commit", async () => {
    const repo = started();
    const { git } = repo;
    const steps = [
      () => git("commit", "-q", "--allow-empty", "-m", "nothing"),
      () => git("commit", "-q", "--allow-empty", "--amend", "-m", "reworded"),
      () => repo.commit({ "a.txt": "2\n" }),
      () => git("checkout", "-q", "HEAD~1"),
    ];
    expect(await changes(repo, steps)).toEqual([false, false, true, true]);
    expect(await asked(repo).tree()).toMatchObject({ clean: true, head: git("rev-parse", "HEAD").trim() });
  });

  it("works before the first commit", async () => {
    const repo = newRepo();
    expect(await asked(repo).tree()).toMatchObject({ kind: "tree", head: null, clean: true });
    expect(await changes(repo, [() => repo.write("a", "1"), () => repo.write("a", "2")])).toEqual([
      true,
      true,
    ]);
  });

  it("follows edits inside a dirty submodule and an embedded repository", async () => {
    const repo = started();
    const library = newRepo();
    library.commit({ "lib.txt": "l\n" });
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.root, "lib");
    repo.commit({});
    newRepo(join(repo.root, "embedded")).commit({ "e.txt": "e\n" });
    const steps = ["lib/lib.txt", "lib/lib.txt", "embedded/e.txt", "embedded/e.txt"].map(
      (name, i) => () => repo.write(name, `${i}`),
    );
    expect(await changes(repo, steps)).toEqual([true, true, true, true]);
  });

  it("tells big files apart without reading them, and names that are no UTF-8", async () => {
    const repo = started();
    const latin = Buffer.concat([Buffer.from(`${repo.root}/caf`), Buffer.from([0xe9])]);
    const steps = [
      () => repo.write("big.bin", Buffer.alloc(3_000_000, 1)),
      () => repo.write("big.bin", Buffer.alloc(3_000_001, 1)),
      () => writeFileSync(latin, "1"),
      () => writeFileSync(latin, "2"),
    ];
    expect(await changes(repo, steps)).toEqual([true, true, true, true]);
  });

  it("is asked about the folder, not about what variables of a hook say", async () => {
    const [repo, other] = [started(), started()];
    other.write("a.txt", "dirty");
    const misled = { ...gitEnv(repo.home), GIT_DIR: join(other.root, ".git"), GIT_WORK_TREE: other.root };
    const tree = await openRepository(repo.root, misled, "ask", () => {}).tree();
    expect(tree).toEqual(await asked(repo).tree());
  });
});

describe("status", () => {
  it("reads renames, conflicts and names with spaces", () => {
    const z = "0".repeat(40);
    const out = [
      `# branch.oid ${z}`,
      "# branch.head main",
      `1 M. N... 100644 100644 100644 ${z} ${z} a b.txt`,
      `2 R. N... 100644 100644 100644 ${z} ${z} R100 new name`,
      "1 old name",
      `u UU N... 100644 100644 100644 100644 ${z} ${z} ${z} c`,
      "? d\ne",
      "! ignored",
      "? .holdfast/state/x",
    ];
    const { head, entries } = parseStatus(Buffer.from(`${out.join("\0")}\0`));
    expect([head, entries.map((entry) => ({ ...entry, name: entry.name.toString() }))]).toEqual([
      z,
      [
        { name: "a b.txt", kind: "tracked", unstaged: false },
        { name: "new name", kind: "tracked", unstaged: false },
        { name: "c", kind: "tracked", unstaged: true },
        { name: "d\ne", kind: "untracked", unstaged: true },
        { name: "ignored", kind: "ignored", unstaged: true },
      ],
    ]);
  });
});

describe("the size of a change", () => {
  const size = (repo: Repo) => asked(repo).diffSize({ head: null, at: 0 }, 0);
  const diff = (lines: number, atLeast = false) => ({
    kind: "diff",
    lines,
    generated: 0,
    committed: false,
    atLeast,
  });

  it("counts added and removed lines, staged or not, and the lines of new text files", async () => {
    const repo = started();
    expect(await size(repo)).toEqual(diff(0));
    repo.write("a.txt", "a\nb\nc\n");
    repo.write("b.txt", "other\n");
    repo.git("add", "b.txt");
    repo.write("new\tname.txt", "1\n2\n3");
    repo.write("bin", Buffer.from([1, 0, 10, 10]));
    repo.write(".holdfast/x", "1\n2\n");
    repo.write("out/x", "1\n");
    expect(await size(repo)).toEqual(diff(2 + 2 + 3));
  });

  it("counts a moved file by what changed in it", async () => {
    const repo = newRepo();
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join("");
    repo.commit({ "old.txt": lines, "z.txt": "z\n" });
    repo.git("mv", "old.txt", "new.txt");
    repo.write("new.txt", `${lines}one more\n`);
    repo.write("z.txt", "y\n");
    expect(await size(repo)).toEqual(diff(3));
  });

  it("counts everything before the first commit", async () => {
    const repo = newRepo();
    repo.write("a.txt", "1\n2\n");
    repo.git("add", "a.txt");
    repo.write("b.txt", "3\n");
    expect(await size(repo)).toEqual(diff(3));
  });

  it("says that it stopped early, and does not wait for a named pipe", async () => {
    const repo = started();
    repo.write("huge.txt", "line\n".repeat(300_000));
    execFileSync("mkfifo", [join(repo.root, "pipe")]);
    expect(await size(repo)).toEqual(diff(209_716, true));
  });
});

describe("when git does not answer", () => {
  it("says so in git's words", async () => {
    const dir = tempDir();
    mkdirSync(join(dir, ".git"));
    const words: string[] = [];
    const repo = openRepository(dir, gitEnv(dir), "ask", (said) => words.push(said));
    const broken = { kind: "broken", why: expect.stringContaining("not a git repository") };
    expect([await repo.tree(), await repo.diffSize({ head: null, at: 0 }, 0)]).toEqual([broken, broken]);
    expect(words.length).toBe(2);
  });

  it("says that there is no git", async () => {
    const repo = openRepository(started().root, { PATH: "/nonexistent" }, "ask", () => {});
    expect(await repo.tree()).toEqual({ kind: "broken", why: expect.stringContaining("ENOENT") });
  });
});

it("answers for a linked worktree", async () => {
  const repo = started();
  const root = join(tempDir(), "tree");
  repo.git("worktree", "add", "-q", root);
  const tree = repoAt(root, repo.home);
  const steps = [() => tree.write("a.txt", "x"), () => repo.write("a.txt", "y")];
  expect(await changes(tree, steps)).toEqual([true, false]);
});
