import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Event } from "../../src/core/event.ts";
import { defaultSettings, type Settings } from "../../src/core/settings.ts";
import { decide } from "../../src/pipeline/decide.ts";
import type { Context } from "../../src/policies/context.ts";
import { liveContext } from "../../src/runtime/context.ts";

let home = "";
let root = "";

beforeEach(() => {
  // Not below the temp folder, where nothing is weighed.
  mkdirSync(join(process.cwd(), ".cache"), { recursive: true });
  home = realpathSync(mkdtempSync(join(process.cwd(), ".cache/weigh-")));
  // A name that Holdfast's own files have too: it must not count as spelled out.
  root = join(home, "holdfast");
  mkdirSync(root);
  put("src/a.ts", "a\n");
  put("src/b.ts", "b\n");
  put(".gitignore", "dist/\nnode_modules/\n");
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "first");
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync("git", args, { cwd: root });

/** @param hours how long ago it was written */
function put(name: string, text: string, hours = 0): void {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const at = Date.now() / 1000 - hours * 3600;
  utimesSync(file, at, at);
}

/** @param since when the session began; 0: it is not known */
async function judge(command: string, since = Date.now() - 60_000, settings: Settings = defaultSettings) {
  const event: Event = {
    name: "pre-tool",
    native: "x",
    agent: "any",
    session: "s",
    cwd: root,
    projectHint: null,
    subagent: false,
    callId: null,
    tool: { kind: "shell", name: "x", input: {}, commands: [command], workdir: null },
  };
  const live = liveContext(event, root, root, { PATH: process.env.PATH }, home);
  live.state.updateSession("any", "s", (state) => ({ ...state, since }));
  const context: Context = {
    ...live,
    world: { ...live.world, tmp: ["/nowhere"] },
    git: live.git,
    state: live.state,
  };
  const { verdict } = await decide(event, settings, context);
  return { said: `${verdict.decision} ${verdict.by.join()}`.trim(), reason: verdict.reason };
}

describe("a pattern that comes to a protected file here", () => {
  const protectedSaid = "deny protect";
  /** A session that begins after the files were made. */
  const later = () => Date.now() + 60_000;
  beforeEach(() => {
    put(".gitignore", "dist/\nnode_modules/\n.env*\n");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "ignored");
    put(".env.local", "A=1\n", 100);
    put("packages/api/.env.local", "A=1\n", 100);
    put("src/x.local", "a\n");
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "more");
    put("dist/server.key", "k\n", 100);
  });

  test.each([
    "rm .*.local",
    "rm .*",
    "find . -name '*.local' -delete",
    "find . -name '*.local' -exec rm -f {} +",
    "find packages -name '.*' -type f -delete",
    "rm -rf packages",
    "rm -r packages/api",
    "rm -rf packages/*",
    "git rm -rf packages",
    "sed -i s/A/B/ packages/*/.*.local",
    "mv .*.local /nowhere/x/",
  ])("%s", async (command) => {
    expect((await judge(command, later())).said).toBe(protectedSaid);
  });

  test.each([
    "rm *.local",
    "rm src/*.local",
    "find src -name '*.local' -delete",
    "find . -name '*.pyc' -delete",
    "rm -f *.log packages/*/*.log",
    "cat .*.local",
    "cp .*.local /nowhere/x/",
    "rm -rf src",
    "rm -rf dist node_modules",
    "mv packages apps",
  ])("but not %s", async (command) => {
    expect((await judge(command, later())).said).toBe("allow");
  });

  test("nor a folder that this session made, with what is in it", async () => {
    expect((await judge("rm -rf packages/api")).said).toBe("allow");
  });
});

describe("discarding on a clean tree loses nothing", () => {
  test.each([
    "git reset --hard",
    "git reset --hard HEAD",
    "git checkout .",
    "git restore .",
    "git checkout HEAD -- .",
    "git clean -fd",
    "git checkout -f main",
    "cd src && git reset --hard && git clean -fd",
  ])("%s goes through", async (command) => {
    expect((await judge(command)).said).toBe("allow nothing-lost");
  });

  test.each([
    "git reset --hard HEAD~1",
    "git reset --hard origin/main",
    "git clean -fdx",
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
    mkdirSync(join(root, "vendor"));
    execFileSync("git", ["init", "-q", "vendor"], { cwd: root });
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
    git("add", "staged");
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
  const other = join(home, "other");
  mkdirSync(join(other, "deep"), { recursive: true });
  const said = async (command: string, since?: number) => (await judge(command, since)).said;
  expect([
    await said(`rm -rf ${other}`),
    await said(`rm -rf ${other}`, Date.now() + 60_000),
    await said(`rm -rf ${other}`, 0),
    await said(`rm -rf ${home}`),
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

test("a protected file in the same command is refused whatever git says", async () => {
  expect((await judge("git reset --hard && rm .env")).said).toBe("deny protect");
});

describe.skipIf(inTemp)("a write outside the project", () => {
  test.each(["echo hi > ~/new.txt", "cp src/a.ts ~/copy.ts", "mkdir ~/x && cp src/a.ts ~/x/a.ts"])(
    "that makes a new file of the person's goes through: %s",
    async (command) => {
      expect((await judge(command)).said).toBe("allow nothing-lost");
    },
  );

  test.each([
    ["over a file that is there", "echo hi > ~/old.txt"],
    ["over one of two", "cp src/a.ts ~/new.txt && cp src/a.ts ~/old.txt"],
    ["into a hidden folder", "cp src/a.ts ~/.config/autostart/a.desktop"],
    ["of a hidden file", "echo hi > ~/.new-rc"],
    ["into the system", "echo hi > /etc/new-file"],
    ["with a name that is not known", 'echo hi > ~/"$NAME"'],
  ])("%s is asked about", async (_, command) => {
    writeFileSync(join(home, "old.txt"), "old\n");
    expect((await judge(command)).said).toBe("ask files/overwrite-outside");
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
      git("branch", "packed");
      git("pack-refs", "--all");
      git("branch", "topic");
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

describe("a pattern that comes to Holdfast's own file here", () => {
  const later = () => Date.now() + 60_000;

  test.each(["rm *.yaml", "rm -f *.y*ml", "mv *.yaml old/"])("%s", async (command) => {
    put("a.yaml", "a: 1\n", 100);
    const before = await judge(command, later());
    put("holdfast.yaml", "version: 1\n", 100);
    const { said, reason } = await judge(command, later());
    expect([before.said, said, reason]).toEqual([
      "allow",
      "deny self",
      expect.stringContaining("holdfast.yaml"),
    ]);
  });

  test.each(["rm *.txt", "cp *.yaml old/", "cat *.yaml", "rm src/*.yaml"])("but not %s", async (command) => {
    put("holdfast.yaml", "version: 1\n", 100);
    put("src/a.yaml", "a: 1\n", 100);
    expect((await judge(command, later())).said).toBe("allow");
  });
});

describe("a write to everything of a kind", () => {
  const sweeps = [
    "find . -type f -exec sed -i 's/a/b/' {} +",
    "git ls-files | xargs sed -i s/a/b/",
    "grep -rl a . | xargs sed -i s/a/b/",
    "grep -rl a --exclude-dir=.git --exclude-dir=node_modules . | xargs sed -i s/a/b/",
    "sed -i s/a/b/ .*",
  ];

  test.each(sweeps)("goes through where nothing protected is there: %s", async (command) => {
    put("node_modules/x/test.pem", "x");
    expect((await judge(command)).said).toBe("allow nothing-lost");
  });

  test.each(sweeps)("is refused where it comes to a protected file, and names it: %s", async (command) => {
    put(".env.local", "A=a");
    const { said, reason } = await judge(command);
    expect([said, reason]).toEqual(["deny protect", expect.stringContaining(".env.local is protected by")]);
  });

  test("files that are copied count as well", async () => {
    put("template/.npmrc", "a");
    const before = await judge("cp template/.* .");
    put("template/.env", "A=a");
    expect([before.said, (await judge("cp template/.* .")).said]).toEqual([
      "allow nothing-lost",
      "deny protect",
    ]);
  });

  test("what is named beside it is refused all the same", async () => {
    expect((await judge("sed -i s/a/b/ .* && echo A > .env")).said).toBe("deny protect");
  });
});

describe("a patch that lies on the disk", () => {
  test.each([
    "git apply p.diff",
    "git apply --3way ./p.diff",
    "patch -p1 -i p.diff",
    "patch -p1 < p.diff",
    "git am p.diff",
  ])("is judged by the files it names: %s", async (command) => {
    put("p.diff", "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n");
    const harmless = await judge(command);
    put("p.diff", "diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A=1\n+A=2\n");
    const { said, reason } = await judge(command);
    expect([harmless.said, said, reason]).toEqual([
      "allow",
      "deny protect",
      expect.stringContaining('.env is protected by the pattern ".env"'),
    ]);
  });

  test("Holdfast's own files are among them", async () => {
    put("p.diff", "--- a/holdfast.yaml\n+++ b/holdfast.yaml\n@@ -1 +1 @@\n-a\n+b\n");
    expect((await judge("git apply p.diff")).said).toBe("deny self");
  });
});
