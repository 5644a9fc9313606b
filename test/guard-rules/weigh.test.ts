import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings, type Settings } from "../../src/core/settings.ts";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put, judge } = place;

describe("discarding on a clean tree loses nothing", () => {
  test.each([
    "git reset --hard",
    "git reset --hard HEAD",
    "git checkout .",
    "git restore .",
    "git checkout HEAD -- .",
    "git clean -fd",
    "git clean -fdx",
    "git clean -fdx node_modules",
    "git checkout -f main",
    "cd src && git reset --hard && git clean -fd",
  ])("%s goes through", async (command) => {
    expect((await judge(command)).said).toBe("allow nothing-lost");
  });

  test.each([
    "git reset --hard HEAD~1",
    "git reset --hard origin/main",
    "git stash drop",
    "git reset --hard && git stash clear",
    "git worktree remove --force ../other",
    "git -C /elsewhere reset --hard",
    "GIT_DIR=/elsewhere/.git git reset --hard",
    "cp ~/notes src/ && git clean -f",
    "git checkout HEAD~1 -- .",
    "git restore -s HEAD~1 .",
    "git restore --source HEAD~1 -- '*.ts'",
    "git checkout main -- ':(glob)**/*.yml'",
    "git read-tree -m -u HEAD~1",
  ])("%s does not: it takes more than the tree tells", async (command) => {
    expect((await judge(command)).said).toBe("ask git/discard");
  });

  test("in a repository inside the project it is that one's work", async () => {
    mkdirSync(join(place.root, "vendor"));
    execFileSync("git", ["init", "-q", "vendor"], { cwd: place.root });
    expect((await judge("cd vendor && git reset --hard")).said).toBe("ask git/discard");
  });
});

test("on a tree that is not clean it depends on what is there, and the question names it", async () => {
  put("new.txt", "x");
  const untracked = [await judge("git reset --hard"), await judge("git clean -f")];
  put("src/a.ts", "changed");
  const changed = [await judge("git reset --hard"), await judge("git checkout .")];
  expect([...untracked, ...changed].map(({ said }) => said)).toEqual([
    "allow nothing-lost",
    "ask git/discard",
    "ask git/discard",
    "ask git/discard",
  ]);
  expect([untracked[1]?.reason, changed[0]?.reason]).toEqual([
    expect.stringContaining("Here that is 1 file: new.txt."),
    expect.stringContaining("Here that is 1 file: src/a.ts."),
  ]);
});

describe("deleting a folder of the project", () => {
  test.each(["rm -rf src", "rm -rf dist", "rm -rf no-such-folder", "rm -rf src/*.map"])(
    "%s goes through: git has it, or nobody needs it",
    async (command) => {
      put("dist/out.js", "x", 5);
      expect((await judge(command)).said).toBe("allow");
    },
  );

  test("asks when work from before this session would go, and names it", async () => {
    put("notes/plan.md", "x", 5);
    put("src/a.ts", "changed", 5);
    const found = [await judge("rm -rf notes"), await judge("rm -rf src"), await judge("rm -rf src", 0)];
    expect(found.map(({ said }) => said)).toEqual([
      "ask files/unsaved",
      "ask files/unsaved",
      "ask files/unsaved",
    ]);
    expect(found[0]?.reason).toContain("Here that is 1 file: notes/plan.md.");
  });

  test("lets the agent clear away what it made itself", async () => {
    put("scratch/x.ts", "x");
    expect([(await judge("rm -rf scratch")).said, (await judge("rm -rf scratch", 0)).said]).toEqual([
      "allow",
      "ask files/unsaved",
    ]);
  });

  test("what is staged is in the index still", async () => {
    put("staged/x.ts", "x", 5);
    place.git("add", "staged");
    expect((await judge("rm -rf staged")).said).toBe("allow");
  });

  test.each([
    "rm -rf src/*",
    "rm src/*",
    "find src -type f -exec rm {} +",
    "git restore src/",
    "git checkout -- src",
    "git restore '*.ts'",
    "git restore 'src/*'",
    "git checkout -- $(git diff --name-only)",
    "git diff --name-only | xargs git checkout --",
    "git diff | git apply -R",
    "git diff -- src | patch -p1 -R",
    "git diff --name-only | xargs rm",
    "git ls-files -m | xargs rm -rf",
  ])("asks in whatever way the changes go: %s", async (command) => {
    const clean = await judge(command);
    put("src/a.ts", "changed", 5);
    const older = await judge(command);
    put("src/a.ts", "changed");
    const own = await judge(command);
    expect([clean.said, older.said, own.said]).toEqual(["allow", "ask files/unsaved", "allow"]);
    expect(older.reason).toContain("Here that is 1 file: src/a.ts.");
  });

  test.each([
    "git checkout -- src/a.ts",
    "git restore src/a.ts",
    "git restore --staged src",
    "git restore '*.md'",
    "git diff | git apply --check -R",
    "rm src/*.js",
    "git checkout main",
  ])("says nothing where one file is named, or another: %s", async (command) => {
    put("src/a.ts", "changed", 5);
    expect((await judge(command)).said).toBe("allow");
  });

  test("can be switched off like any rule", async () => {
    put("notes/plan.md", "x", 5);
    const off = {
      ...defaultSettings,
      commands: { ...defaultSettings.commands, override: { "files/unsaved": "off" } },
    };
    expect((await judge("rm -rf notes", undefined, off as Settings)).said).toBe("allow");
  });
});

/** Below the temp folder nothing is outside. */
const inTemp = process.cwd().startsWith("/tmp/");

test.skipIf(inTemp)("outside the project only what this session made may go", async () => {
  const other = join(place.home, "other");
  mkdirSync(join(other, "deep"), { recursive: true });
  const said = async (command: string, since?: number) => (await judge(command, since)).said;
  expect([
    await said(`rm -rf ${other}`),
    await said(`rm -rf ${other}`, Date.now() + 60_000),
    await said(`rm -rf ${other}`, 0),
    await said(`rm -rf ${place.home}`),
    await said("rm -rf ../*"),
    await said(`rm -rf ${other} /etc/x`),
  ]).toEqual([
    "allow nothing-lost",
    "ask files/rm-broad",
    "ask files/rm-broad",
    "ask files/rm-broad",
    "ask files/rm-broad",
    "ask files/rm-broad",
  ]);
});

describe.skipIf(inTemp)("where nothing is there outside the project", () => {
  const said = async (command: string) => (await judge(command, Date.now() + 60_000)).said;
  beforeEach(() => {
    mkdirSync(join(place.home, "newp/src"), { recursive: true });
    mkdirSync(join(place.home, "empty"));
    writeFileSync(join(place.home, "there.txt"), "x\n");
    symlinkSync("/no/such", join(place.home, "broken"));
  });

  test.each([
    "rm -rf ~/.cache/nothing-there",
    "cd ../newp && rm -rf node_modules",
    "rm -f ~/not-there.txt",
    "mkdir -p ~/newp && rm -rf ~/newp/dist",
    "mv ~/not-there /nowhere/",
  ])("nothing is lost: %s", async (command) => {
    expect(await said(command)).toBe("allow nothing-lost");
  });

  test.each([
    ["what is there", "rm -rf ~/newp"],
    ["one of two", "rm -rf ~/not-there ~/newp"],
    ["a link that leads nowhere", "rm ~/broken"],
    ["a folder that may only not be readable", "rm -rf ~/empty/x"],
    ["what was moved there", "mv ~/there.txt ~/x && rm ~/x"],
    ["what a link made there leads to", "ln -s ~/newp ~/x && rm -rf ~/x/src"],
    ["what a program may have put there", "./sync.sh && rm -rf ~/x"],
    ["the home of another", "su bob -c 'rm -rf ~/x'"],
    ["the home of another by sudo", "sudo -iu bob sh -c 'rm -rf ~/x'"],
    ["what only another may see", "sudo rm -rf ~/x"],
    ["names that are not known", "rm -rf ~/x-*"],
    ["the system", "rm -rf /etc/not-there"],
  ])("but %s is asked about", async (_, command) => {
    expect(await said(command)).toMatch(/^ask .*files\/(?:rm-broad|delete-outside)/);
  });
});

test.skipIf(inTemp)(
  "a move of the person's files to where nobody keeps them is a delete of them",
  async () => {
    mkdirSync(join(place.home, "docs/photos"), { recursive: true });
    writeFileSync(join(place.home, ".rc"), "x\n");
    const said = async (command: string, since = Date.now() + 60_000) => (await judge(command, since)).said;
    expect([
      await said("mv ~/docs/photos /nowhere/"),
      await said("mv ~/docs/photos /nowhere/", Date.now() - 60_000),
      await said("mv ~/.rc ~/old-rc"),
      await said("mv ~/docs/photos ~/docs/pictures"),
      await said("mv ~/docs/photos ."),
    ]).toEqual([
      "ask files/delete-outside",
      "allow nothing-lost",
      "ask files/delete-outside",
      "allow nothing-lost",
      "allow",
    ]);
  },
);

test.skipIf(inTemp)("a file that an agent keeps in a sub-folder of its own may go", async () => {
  for (const name of [".claude/plans/p.md", ".claude/CLAUDE.md", ".claude/projects/-x/memory/m.md"]) {
    mkdirSync(join(place.home, dirname(name)), { recursive: true });
    writeFileSync(join(place.home, name), "x\n");
  }
  const said = async (command: string) => (await judge(command, Date.now() + 60_000)).said;
  expect([
    await said("rm ~/.claude/plans/p.md"),
    await said("rm -f ~/.claude/projects/-x/memory/m.md"),
    await said("mv ~/.claude/plans/p.md ~/.claude/plans/done.md"),
    await said("rm ~/.claude/CLAUDE.md"),
    await said("rm -rf ~/.claude/projects"),
    await said("rm -rf ~/.claude/projects/-x"),
    await said("rm ~/.claude/plans/*"),
  ]).toEqual([
    ...["allow nothing-lost", "allow nothing-lost", "allow nothing-lost", "ask files/delete-outside"],
    ...["ask files/rm-broad", "ask files/rm-broad", "ask files/delete-outside"],
  ]);
});

test("a protected file in the same command is refused whatever git says", async () => {
  expect((await judge("git reset --hard && rm .env")).said).toBe("deny protect");
});

describe.skipIf(inTemp)("a write outside the project", () => {
  test.each([
    "echo hi > ../other/new.txt",
    "mkdir -p ~/.config/foo && echo hi > ~/.config/foo/c",
    "echo hi > ~/.cache/foo/deep/c",
    "echo hi > ~/new.txt",
    "cp src/a.ts ~/copy.ts",
    "mkdir ~/x && cp src/a.ts ~/x/a.ts",
  ])("that makes a new file of the person's goes through: %s", async (command) => {
    expect((await judge(command)).said).toBe("allow nothing-lost");
  });

  test.each([
    ["over a file that is there", "echo hi > ~/old.txt"],
    ["over one of two", "cp src/a.ts ~/new.txt && cp src/a.ts ~/old.txt"],
    ["into a hidden folder of a program that is there", "echo hi > ~/.config/bar/c"],
    ["into a folder that git reads", "echo hi > ~/.config/git/attributes"],
    ["into one that is for keys", "echo hi > ~/.ssh/authorized_keys"],
    ["into a hidden folder", "cp src/a.ts ~/.config/autostart/a.desktop"],
    ["of a hidden file", "echo hi > ~/.new-rc"],
    ["into the system", "echo hi > /etc/new-file"],
    ["with a name that is not known", 'echo hi > ~/"$NAME"'],
  ])("%s is asked about", async (_, command) => {
    writeFileSync(join(place.home, "old.txt"), "old\n");
    mkdirSync(join(place.home, ".config/bar"), { recursive: true });
    expect((await judge(command, Date.now() + 60_000)).said).toBe("ask files/overwrite-outside");
  });

  test("over what this very session made there goes through", async () => {
    writeFileSync(join(place.home, "made.txt"), "made\n");
    expect((await judge("echo hi > ~/made.txt")).said).toBe("allow nothing-lost");
  });
});

describe("a branch that is moved", () => {
  test.each(["git checkout -B topic HEAD", "git switch -C topic HEAD", "git checkout -B a/topic HEAD~0"])(
    "goes through where it is not there yet: %s",
    async (command) => {
      expect((await judge(command)).said).toBe("allow nothing-lost");
    },
  );

  test.each(["git checkout -B topic HEAD~1", "git switch -C topic HEAD", "git checkout -B packed HEAD"])(
    "is asked about where it is: %s",
    async (command) => {
      place.git("branch", "packed");
      place.git("pack-refs", "--all");
      place.git("branch", "topic");
      expect((await judge(command)).said).toBe("ask git/delete-branch");
    },
  );

  test.each(["git branch -f topic HEAD", "git branch -D topic", "git -C ../x checkout -B topic HEAD"])(
    "the rest of the rule stays: %s",
    async (command) => {
      expect((await judge(command)).said).toBe("ask git/delete-branch");
    },
  );
});

describe("a question names the file it is about, where the command does not", () => {
  test.each([
    ["echo x > /etc/hosts", "`echo x` overwrites or truncates a file outside the project (/etc/hosts)."],
    ["cd /etc && echo rm > hosts", "(/etc/hosts)."],
    ["tee /etc/hosts", "`tee /etc/hosts` overwrites or truncates a file outside the project. What"],
    ["kill -9 $(pgrep node)", "`kill -9 …` ends processes"],
    ["docker rm -f $(docker ps -aq)", "`docker rm -f …` removes"],
  ])("%s", async (command, words) => {
    expect((await judge(command)).reason).toContain(words);
  });

  test("and the one that counts", async () => {
    const { reason } = await judge("echo a > ~/new.txt; echo b > /etc/hosts");
    expect(reason).toContain("`echo b` overwrites or truncates a file outside the project (/etc/hosts).");
  });
});

test.each([
  ["git checkout -f -- src/a.ts", "allow nothing-lost", "ask git/discard"],
  ["git checkout -f -- src/b.ts", "allow nothing-lost", "allow nothing-lost"],
  ["git checkout -f", "allow nothing-lost", "ask git/discard"],
  ["git checkout -f main", "allow nothing-lost", "ask git/discard"],
])("a forced checkout of named files loses what is in them alone: %s", async (command, clean, changed) => {
  place.git("branch", "-M", "main");
  const before = (await place.judge(command)).said;
  place.put("src/a.ts", "changed\n", 5);
  expect([before, (await place.judge(command)).said]).toEqual([clean, changed]);
});
