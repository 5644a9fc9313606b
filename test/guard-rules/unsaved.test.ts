import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace, judgeIn } from "./place.ts";

const place = eachPlace();
const { put, judge } = place;
const said = async (command: string) => (await judge(command)).said;

describe("a name that looks like a pattern", () => {
  beforeEach(() => {
    put("app/[id]/page.tsx", "x");
    place.commit();
    put("app/[id]/new.tsx", "x", 5);
    put(":top/new.ts", "x", 5);
  });

  test.each([
    "rm -rf app/[id]",
    "rm -rf app/\\[id\\]",
    'rm -rf "app/[id]"',
    "rm -rf app/[id]/*",
    "rm app/[id]/*.tsx",
    "rm -rf ./:top",
  ])("is the folder that is called so: %s", async (command) => {
    expect(await said(command)).toBe("ask files/unsaved");
  });

  test.each(["rm -rf app/[ab]", "rm app/[id]/page.tsx", "cp src/a.ts app/[id]/page.tsx"])(
    "but not %s",
    async (command) => {
      expect(await said(command)).toBe("allow");
    },
  );

  test("a protected file in it is found as well", async () => {
    put("app/[id]/.env", "A=1", 5);
    expect((await judge("rm -rf app/[id]", Date.now() + 60_000)).said).toBe("deny protect");
  });
});

test("a project whose own folder looks like a pattern is asked about as any other", async () => {
  place.renew("[glob]*{a,b}");
  put("src/a.ts", "changed", 5);
  put(".env.local", "A=1", 5);
  expect([
    await said("rm -rf src"),
    await said("rm src/*"),
    await said("git checkout -- src"),
    await said("git reset --hard"),
    await said("rm .*.local"),
    await said("rm -rf dist"),
  ]).toEqual([
    "ask files/unsaved",
    "ask files/unsaved",
    "ask files/unsaved",
    "ask git/discard",
    "deny protect",
    "allow",
  ]);
});

describe("a pattern anywhere in what is deleted", () => {
  test.each(["rm app/*/page.tsx", "rm *.md", "rm -f app/home/p*.tsx", "find app -name '*.tsx' -delete"])(
    "asks where it comes to older work: %s",
    async (command) => {
      const none = await said(command);
      put("app/home/page.tsx", "x", 5);
      put("plan.md", "x", 5);
      const older = await said(command);
      place.commit();
      expect([none, older, await said(command)]).toEqual(["allow", "ask files/unsaved", "allow"]);
    },
  );

  test.each(["rm *.log", "rm -f src/*.tmp", "find . -name '*.pyc' -delete", "rm *~"])(
    "but not where nobody misses it: %s",
    async (command) => {
      for (const name of ["x.log", "src/x.tmp", "lib/x.pyc", "a.ts~"]) put(name, "x", 5);
      expect(await said(command)).toBe("allow");
    },
  );
});

describe("what was moved goes with the place that it was moved to", () => {
  test.each([
    "mv notes x && rm -rf x",
    "mv notes src/ && rm -rf src",
    "mv notes /nowhere/x; rm -rf /nowhere/x",
    "mv notes/plan.md /nowhere/ && rm -rf /nowhere/plan.md",
    "git mv notes old && rm -rf old",
  ])("%s", async (command) => {
    put("notes/plan.md", "x", 5);
    const { said: judged, reason } = await judge(command);
    expect(judged).toBe("ask files/unsaved");
    expect(reason).toContain("Here that is 1 file: notes/plan.md.");
  });

  test.each(["mv notes x && rm -rf y", "rm -rf x && mv notes x", "mv src x && rm -rf x"])(
    "but not %s",
    async (command) => {
      put("notes/plan.md", "x", 5);
      expect(await said(command)).toBe("allow");
    },
  );
});

test("a list by git names what is deleted, changed or new, and only that is lost", async () => {
  put("src/a.ts", "changed", 5);
  put("notes/plan.md", "x", 5);
  const deleted = await judge("git ls-files -d | xargs git rm");
  const changed = await judge("git ls-files -m | xargs rm");
  const fresh = await judge("git ls-files -o --exclude-standard | xargs rm");
  expect([deleted, changed, fresh].map((one) => one.said)).toEqual([
    "allow",
    "ask files/unsaved",
    "ask files/unsaved",
  ]);
  expect(changed.reason).toContain("1 file: src/a.ts.");
  expect(fresh.reason).toContain("1 file: notes/plan.md.");
});

describe("a folder taken from another commit", () => {
  beforeEach(() => {
    put("src/gone.ts", "x");
    place.commit();
    place.git("rm", "-q", "src/gone.ts");
    put("src/a.ts", "second");
    place.commit();
  });

  const commands = [
    "git checkout HEAD~1 -- src",
    "git checkout HEAD~1 src",
    "cd src && git checkout HEAD~1 -- ../src",
    "git restore -s HEAD~1 src",
    "git restore --source=HEAD~1 -SW -- src",
  ];

  test.each(commands)("asks where it comes to changes: %s", async (command) => {
    const clean = await said(command);
    put("src/a.ts", "changed", 5);
    const older = await judge(command);
    put("src/a.ts", "changed");
    expect([clean, older.said, await said(command)]).toEqual(["allow", "ask files/unsaved", "allow"]);
    expect(older.reason).toContain("Here that is 1 file: src/a.ts.");
  });

  test.each(commands)("asks where it comes to a file that git does not know: %s", async (command) => {
    put("src/new.ts", "x", 5);
    const other = await said(command);
    put("src/gone.ts", "mine", 5);
    expect([other, await said(command)]).toEqual(["allow", "ask files/unsaved"]);
  });

  test("but not where one file is named", async () => {
    put("src/a.ts", "changed", 5);
    expect(await said("git checkout HEAD~1 -- src/a.ts")).toBe("allow");
  });
});

describe("what is staged", () => {
  beforeEach(() => {
    put("src/a.ts", "staged", 5);
    place.git("add", "-A");
  });

  test.each([
    "git checkout .",
    "git restore .",
    "git checkout -- src",
    "git restore -s HEAD src",
    "git checkout -f .",
  ])("stays in the index with %s", async (command) => {
    expect(await said(command)).toMatch(/^allow/);
  });

  test.each([
    "git checkout HEAD -- src",
    "git checkout HEAD src",
    "git restore -SW src",
    "git checkout HEAD -- .",
    "git restore -SW .",
    "git checkout -f",
    "git reset --hard",
  ])("goes with %s", async (command) => {
    expect(await said(command)).toMatch(/^ask (?:files\/unsaved|git\/discard)$/);
  });
});

test("a discard in a folder is about what lies there", async () => {
  put("lib/x.ts", "x");
  place.commit();
  put("src/a.ts", "changed", 5);
  const commands = ["cd lib && git checkout .", "cd lib && git restore .", "cd src && git checkout ."];
  expect(await Promise.all(commands.map(said))).toEqual([
    "allow nothing-lost",
    "allow nothing-lost",
    "ask git/discard",
  ]);
});

describe("where git has no word", () => {
  const without = {
    "there is no repository": () => rmSync(join(place.root, ".git"), { recursive: true }),
    "git does not answer": () => writeFileSync(join(place.root, ".git/index"), "broken"),
  };

  test.each(Object.entries(without))("the age of files tells: %s", async (_, take) => {
    take();
    for (const name of ["notes/plan.md", "notes/deep/x.md", "dist/a.js", "notes/.cache/y"]) put(name, "x", 5);
    put("package.json", "{}", 5);
    put("fresh/a.md", "x");
    mkdirSync(join(place.root, "empty"));
    symlinkSync(join(place.root, "notes"), join(place.root, "fresh/link"));
    expect([
      await said("rm -rf notes"),
      await said("find notes -delete"),
      await said("rm -rf notes/deep"),
      await said("rm notes/*.md"),
      await said("rm notes/plan.md"),
      await said("rm -rf dist"),
      await said("rm -rf notes/.cache"),
      await said("rm -rf fresh"),
      await said("rm -rf empty"),
      await said("rm -rf no-such-folder"),
    ]).toEqual([
      ...["ask files/unsaved", "ask files/unsaved", "ask files/unsaved", "ask files/unsaved"],
      ...["allow", "allow", "allow", "allow", "allow", "allow"],
    ]);
    const { reason } = await judge("rm -rf notes");
    expect(reason).toContain("Here that is 2 files: notes/");
    expect(reason).toContain("no git answers here");
  });
});

test("a file that no commit has is older work also when this session wrote it, one that git tracks is not", async () => {
  put("notes/plan.md", "x", -1);
  put("src/a.ts", "changed", -1);
  const later = Date.now() + 60_000;
  expect([(await judge("rm -rf notes", later)).said, (await judge("rm -rf src", later)).said]).toEqual([
    "ask files/unsaved",
    "allow",
  ]);
});

describe("another working tree of the repository that lies in the project", () => {
  beforeEach(() => {
    put(".gitignore", ".worktrees/\n");
    place.commit();
    for (const tree of [".worktrees/fix", ".worktrees/clean", "seen"])
      place.git("worktree", "add", "-q", tree);
    put(".worktrees/fix/src/a.ts", "changed", 5);
    put(".worktrees/fix/notes/plan.md", "x", 5);
  });
  const later = async (command: string) => (await judge(command, Date.now() + 60_000)).said;

  test.each([
    "rm -rf .worktrees/fix",
    "rm -rf .worktrees",
    "rm -rf .worktrees/*",
    "rm -rf .worktrees/fix/src",
    "cd .worktrees && rm -rf fix/notes",
    "cd .worktrees/fix && rm -rf src notes",
    "find .worktrees -delete",
  ])("its work counts, ignored or not: %s", async (command) => {
    expect(await later(command)).toBe("ask files/unsaved");
  });

  test.each(["rm -rf .worktrees/clean", "rm -rf seen", "rm -rf .worktrees/fix/dist", "rm -rf seen/src"])(
    "what git holds goes: %s",
    async (command) => {
      expect(await later(command)).toBe("allow");
    },
  );

  test("and so does what this session made there", async () => {
    expect(await said("rm -rf .worktrees/clean")).toBe("allow");
    put(".worktrees/clean/new.ts", "x");
    expect(await said("rm -rf .worktrees/clean")).toBe("allow");
  });
});

test.each([
  ["rm -rf Documents", "ask files/unsaved"],
  ["rm -rf dotfiles", "allow"],
  ["rm -rf app/node_modules", "allow"],
  ["rm -rf nothing", "allow"],
])("a home folder that is a repository ignores what only it has: %s", async (command, expected) => {
  const { home } = place;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: home });
  for (const [name, text] of [
    [".gitignore", "*\n"],
    ["dotfiles/zshrc", "x"],
    ["Documents/thesis.md", "x"],
    ["app/node_modules/a.js", "x"],
  ] as const) {
    mkdirSync(join(home, name, ".."), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  git("init", "-q");
  git("add", "-f", ".gitignore", "dotfiles");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "some");
  const { said } = await judgeIn({ home, root: home }, command, Date.now() + 60_000, defaultSettings);
  expect(said).toBe(expected);
});
