import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put, judge } = place;

describe("new files that the same line adds go with a discard", () => {
  test.each([
    "git add -A && git reset --hard",
    "git add . && git checkout -f",
    "git stage notes; git reset --merge",
    "git add notes && git restore --staged --worktree .",
    "git add notes && git restore -s HEAD .",
    "git add -A && git switch -f main",
  ])("%s", async (command) => {
    const clean = await judge(command);
    put("notes/plan.md", "x", 72);
    const { said, reason } = await judge(command);
    expect([clean.said, said]).toEqual(["allow nothing-lost", "ask git/discard"]);
    expect(reason).toContain("Here that is 1 file: notes/plan.md.");
  });

  test.each([
    "git add -A && git checkout HEAD -- .",
    "git add -A && git restore .",
    "git add src && git reset --hard",
    "git add -u && git reset --hard",
    "git add -A && git commit -m x && git reset --hard",
    "git reset --hard && git add -A",
  ])("but not with %s", async (command) => {
    put("notes/plan.md", "x", 72);
    expect((await judge(command)).said).toBe("allow nothing-lost");
  });
});

describe("Holdfast's own files that no commit holds yet", () => {
  beforeEach(() => put("holdfast.yaml", "tests: {}\n"));

  test.each([
    "git stash -u",
    "git stash push -u -m wip",
    "git stash save --include-untracked wip",
    "git stash --all",
    "git add -A && git stash",
    "git add . && git reset --hard",
    "git clean -fd",
    "cd src && git stash -u",
  ])("are not taken away by %s", async (command) => {
    const { said, reason } = await judge(command);
    expect(said).toBe("deny self");
    expect(reason).toContain("holdfast.yaml would");
    expect(reason).toMatch(/Commit it first/);
  });

  test.each([
    "git stash",
    "git stash list",
    "git stash -u -- src",
    "git add holdfast.yaml && git commit -m x && git stash -u",
    "git clean",
    "git stash push -u -- . ':!holdfast.yaml'",
    "git clean -fd -e holdfast.yaml",
    "git reset --hard",
  ])("stay where they are with %s", async (command) => {
    expect((await judge(command)).said).toMatch(/^allow/);
  });

  test("the way out that the refusal names goes through", async () => {
    const stash = /`(git stash push [^`]+)`/.exec((await judge("git stash -u")).reason)?.[1] ?? "";
    const clean = /`(-e [^`]+)`/.exec((await judge("git clean -fd")).reason)?.[1] ?? "";
    expect([stash, clean]).toEqual(["git stash push -u -- . ':!holdfast.yaml'", "-e holdfast.yaml"]);
    expect((await judge(stash)).said).toBe("allow");
    expect((await judge(`git clean -fd ${clean}`)).said).toBe("allow nothing-lost");
  });

  test("changes to an agent's settings are the person's to stash", async () => {
    put("holdfast.yaml", "tests: {}\n");
    put(".claude/settings.json", "{}\n");
    place.commit();
    const committed = await judge("git stash");
    put(".claude/settings.json", '{ "hooks": {} }\n');
    expect([committed.said, (await judge("git stash")).said]).toEqual(["allow", "ask self"]);
  });

  test("are refused where a pattern protects them, too", async () => {
    put(".claude/settings.json", "{}\n");
    place.commit();
    put(".claude/settings.json", '{ "hooks": {} }\n');
    const protect = { ...defaultSettings.protect, paths: [".claude/**"] };
    expect((await judge("git stash", 0, { ...defaultSettings, protect })).said).toBe("deny protect");
  });
});

describe("a protected file that no commit holds", () => {
  test.each(["git clean -fdx", "git clean -fdX", "git stash -a"])(
    "is not taken along: %s",
    async (command) => {
      put(".gitignore", "node_modules/\n.env\nconfig/\n");
      place.commit();
      put("config/prod.pem", "x");
      const inFolder = await judge(command);
      put(".env", "A=1");
      const { said, reason } = await judge(command);
      expect([inFolder.said, said]).toEqual(["deny protect", "deny protect"]);
      expect(reason).toContain("Leave it out: ");
    },
  );

  test("what git ignores is named where it would be lost, but not what can be made again", async () => {
    put(".gitignore", "node_modules/\n*.sqlite\n");
    place.commit();
    put("node_modules/x/test.pem", "x");
    const generated = await judge("git clean -fdx");
    put("data.sqlite", "x");
    const { said, reason } = await judge("git clean -fdx");
    const narrowed = await judge("git clean -fdx -e '*.sqlite' && git clean -fdx node_modules");
    expect([generated.said, said, narrowed.said]).toEqual([
      "allow nothing-lost",
      "ask git/discard",
      "allow nothing-lost",
    ]);
    expect(reason).toContain("Here that is 1 file: data.sqlite.");
  });
});
