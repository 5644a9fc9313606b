import { describe, expect, it } from "vitest";
import { openRepository } from "../../src/git/repository.ts";
import { gitEnv, newRepo, type Repo } from "./repo.ts";

const lines = (count: number, text = "line") =>
  Array.from({ length: count }, (_, i) => `${text} ${i}\n`).join("");

/** A repository with a commit of 100 lines, a side branch of 200, and the question how much was changed since. */
function begun() {
  const repo = newRepo();
  repo.commit({ "old.txt": lines(100) });
  repo.git("checkout", "-q", "-b", "side");
  repo.commit({ "side.txt": lines(200) });
  repo.git("checkout", "-q", "main");
  return { repo, size: sizeSince(repo) };
}

function sizeSince(repo: Repo, enough = 0) {
  const head = repo.git("rev-parse", "HEAD").trim();
  // Git writes down whole seconds, and all of a test happens in one or two.
  const at = Date.now();
  return async () => {
    const env = gitEnv(repo.home);
    const size = await openRepository(repo.root, env, "ask", () => {}).diffSize({ head, at }, enough);
    return size.kind === "diff" ? [size.lines, size.committed, size.generated] : size;
  };
}

const nextSecond = () => new Promise((done) => setTimeout(done, 1_001));

describe("the size of what was committed since", () => {
  it("is what differs in the end, committed or not", async () => {
    const { repo, size } = begun();
    repo.commit({ "a.txt": lines(30), "b.txt": lines(10) });
    repo.commit({ "a.txt": lines(20) });
    expect(await size()).toEqual([30, true, 0]);
    repo.write("a.txt", lines(25));
    repo.write("new.txt", lines(5));
    expect(await size()).toEqual([40, true, 0]);
  });

  it("is only what an amending changed", async () => {
    const { repo, size } = begun();
    repo.write("old.txt", lines(103));
    repo.git("commit", "-q", "-a", "--amend", "-m", "amended");
    expect(await size()).toEqual([3, true, 0]);
  });

  it("holds the first commit", async () => {
    const repo = newRepo();
    const at = Date.now();
    repo.commit({ "a.txt": lines(7) });
    const opened = openRepository(repo.root, gitEnv(repo.home), "ask", () => {});
    expect(await opened.diffSize({ head: "", at }, 0)).toMatchObject({ lines: 7, committed: true });
    expect(await opened.diffSize({ head: null, at }, 0)).toMatchObject({ lines: 0, committed: false });
  });

  it("does not hold what a merge, a rebase, a pull or a checkout brings", async () => {
    const { repo, size } = begun();
    await nextSecond();
    repo.commit({ "a.txt": lines(3) });
    repo.git("merge", "-q", "--no-edit", "side");
    repo.commit({ "b.txt": lines(4) });
    expect(await size()).toEqual([7, true, 0]);
    const other = begun();
    other.repo.git("checkout", "-q", "side");
    other.repo.write("side.txt", lines(201));
    expect(await other.size()).toEqual([1, false, 0]);
    const rebased = begun();
    await nextSecond();
    rebased.repo.commit({ "a.txt": lines(3) });
    rebased.repo.git("rebase", "-q", "side");
    expect(await rebased.size()).toEqual([3, true, 0]);
    const pulled = begun();
    pulled.repo.git("merge", "-q", "--ff-only", "side");
    expect(await pulled.size()).toEqual([0, false, 0]);
  });

  it("holds what was committed on a branch that is left again, and not what a reset took back", async () => {
    const { repo, size } = begun();
    await nextSecond();
    repo.git("checkout", "-q", "-b", "work");
    repo.commit({ "a.txt": lines(30) });
    repo.git("checkout", "-q", "main");
    expect(await size()).toEqual([30, true, 0]);
    const reset = begun();
    await nextSecond();
    reset.repo.commit({ "a.txt": lines(30) });
    reset.repo.commit({ "b.txt": lines(5) });
    reset.repo.git("reset", "-q", "--soft", "HEAD~1");
    reset.repo.commit({ "b.txt": lines(6) });
    expect(await reset.size()).toEqual([36, true, 0]);
    reset.repo.git("reset", "-q", "--hard", "HEAD~2");
    expect(await reset.size()).toEqual([0, false, 0]);
  });
});

describe("generated files", () => {
  it("are counted apart: lock files, and what git's attributes say", async () => {
    const { repo } = begun();
    const attributes = ["*.gen.ts linguist-generated", "*.snap -diff", "mine.lock -linguist-generated"];
    repo.commit({ ".gitattributes": `${attributes.join("\n")}\n` });
    const size = sizeSince(repo);
    await nextSecond();
    repo.commit({ "web/package-lock.json": lines(1000), "api.gen.ts": lines(500) });
    repo.write("Cargo.lock", lines(100));
    repo.write("new.gen.ts", lines(50));
    repo.write("x.snap", lines(70));
    repo.write("mine.lock", lines(3));
    repo.write("a.txt", lines(2));
    expect(await size()).toEqual([5, true, 1720]);
  });

  it("are not asked for where that would change nothing", async () => {
    const { repo } = begun();
    repo.write("package-lock.json", lines(10));
    expect(await sizeSince(repo, 10)()).toEqual([10, false, 0]);
    expect(await sizeSince(repo, 9)()).toEqual([0, false, 10]);
  });
});
