import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put } = place;
const protects = ["migrations/**", ".env", "*.pem", "app/*/secret"];
const settings = { ...defaultSettings, protect: { ...defaultSettings.protect, paths: protects } };
const judge = (command: string) => place.judge(command, undefined, settings);
const run = (command: string) => execFileSync("sh", ["-c", command], { cwd: place.root, stdio: "ignore" });

/** The command as the refusal says that it should read. */
function advised(command: string, reason: string): string {
  const whole = /`(git stash push [^`]+)`/.exec(reason)?.[1];
  if (whole !== undefined) return command.replace(/git stash.*/, whole);
  const [, words = "", before] = /[Aa]dd `([^`]+)`( in front of `--`)?/.exec(reason) ?? [];
  return before === undefined ? `${command} ${words}` : command.replace(" --", ` ${words} --`);
}

describe("the way out that a refusal of git names passes, and leaves the file where it is", () => {
  beforeEach(() => {
    put(".gitignore", "node_modules/\n.env\nconfig/\n*.pem\nkeys/\n");
    put("migrations/001.sql", "one\n");
    place.commit();
    put("src/fresh.txt", "x");
  });

  test.each([
    ["git clean -fdX", ".env"],
    ["git clean -fdX", "src/.env"],
    ["git clean -fdX", "config/keys/a.pem"],
    ["git clean -fdX -e '*.txt'", ".env"],
    ["git clean -fdX -- .", ".env"],
    ["git clean -fdx", ".env"],
    ["git clean -fdx", "config/keys/a.pem"],
    ["git clean -fdx -e '!.env'", ".env"],
    ["git clean -fdx -- src", "src/.env"],
    ["git clean -fd -e '!.env'", ".env"],
    ["git clean -fd -e '!config'", "config/a.pem"],
    ["git clean -fdx", "app/[id]/secret"],
    ["git clean -fdx", "a b/x'y.pem"],
    ["cd src && git clean -fdx", "src/.env"],
    ["git stash -a", ".env"],
    ["git stash --all -m wip", "config/keys/a.pem"],
    ["cd src && git stash push -a", "src/.env"],
    ["cd src && git stash push -a -- .", "src/.env"],
    ["git stash", "migrations/001.sql"],
    ["git stash save wip", "migrations/001.sql"],
    ["cd src && git stash -u", "migrations/001.sql"],
    ["git restore .", "migrations/001.sql"],
    ["git checkout -- .", "migrations/001.sql"],
    ["git checkout HEAD -- .", "migrations/001.sql"],
    ["git restore ':!src'", "migrations/001.sql"],
    ["cd src && git restore ..", "migrations/001.sql"],
  ])("%s with %s", async (command, name) => {
    put(name, "mine\n");
    const { said, reason } = await judge(command);
    expect(said).toBe("deny protect");
    const better = advised(command, reason);
    expect((await judge(better)).said).toMatch(/^(?:allow|ask git\/discard)/);
    run(better);
    expect(readFileSync(join(place.root, name), "utf8")).toBe("mine\n");
  });

  test("git lets nothing stay in a new folder of which a pathspec leaves something out", async () => {
    put("new/a.pem", "mine\n");
    const commands = ["git clean -fdx -- . ':!new/a.pem'", "git clean -fdx -e new/a.pem -- . ':!new/a.pem'"];
    const answers = await Promise.all(commands.map(judge));
    for (const { said, reason } of answers)
      expect([said, reason]).toEqual([
        "deny protect",
        expect.stringMatching(/Ask the person to commit it first/),
      ]);
    run(commands[1] ?? "");
    expect(existsSync(join(place.root, "new/a.pem"))).toBe(false);
  });
});

describe("what git clean does not come to", () => {
  beforeEach(() => {
    put(".gitignore", ".env\n*.pem\n");
    place.commit();
    put("src/a.pem", "mine\n");
  });

  test.each([
    "git clean -fdx -e '*.pem'",
    "git clean -fdx -e src/a.pem",
    "git clean -fdX -e '!*.pem'",
    "git clean -fdx lib",
    "mkdir -p lib && cd lib && git clean -fdx",
    "git clean -fdx ':!src'",
  ])("%s", async (command) => {
    put("lib/a.ts", "x");
    place.commit();
    expect((await judge(command)).said).toMatch(/^allow|ask git/);
    run(command);
    expect(existsSync(join(place.root, "src/a.pem"))).toBe(true);
  });

  test.each([
    "git clean -fdX -e src/a.pem",
    "git clean -fdX --exclude=a.pem",
    "git clean -fdx -e '*.pem' -e '!a.pem'",
    "git clean -fdx -e a.pem/",
    "git clean -fd -e '!*.pem'",
    "cd src && git clean -fX",
    "git clean -fdx '*.pem'",
  ])("but to this: %s", async (command) => {
    expect((await judge(command)).said).toBe("deny protect");
    run(command);
    expect(existsSync(join(place.root, "src/a.pem"))).toBe(false);
  });
});

describe("files that git does not track, in the way of another branch", () => {
  beforeEach(() => {
    put(".gitignore", ".env\nlocal/\n");
    place.commit();
    place.git("checkout", "-qb", "other");
    for (const name of [".env", "new.txt", "local/a.pem"]) put(name, "theirs\n");
    place.git("add", "-f", ".");
    place.commit();
    place.git("checkout", "-q", "-");
  });

  test.each([
    "git checkout -f other",
    "git checkout -f -",
    "git checkout -f -B mine other",
    "git checkout -f -b mine other",
    "git switch -f other",
    "git switch --discard-changes --detach other",
  ])("%s", async (command) => {
    const none = await judge(command);
    put("new.txt", "mine\n");
    const loose = await judge(command);
    put(".env", "mine\n");
    const kept = await judge(command);
    expect([none.said, loose.said, kept.said]).toEqual([
      "allow nothing-lost",
      "ask git/discard",
      "deny protect",
    ]);
    expect(loose.reason).toContain("Here that is 1 file: new.txt.");
  });

  test("also where a folder is ignored as a whole, and not where nothing is in the way", async () => {
    put("local/b.txt", "mine\n");
    put("else.txt", "mine\n");
    const beside = await judge("git checkout -f other");
    put("local/a.pem", "mine\n");
    const commands = [
      "git checkout -f other",
      "git checkout -f",
      "git checkout -f -b mine",
      "git checkout other",
    ];
    const answers = await Promise.all(commands.map(judge));
    expect([beside, ...answers].map(({ said }) => said)).toEqual([
      "allow nothing-lost",
      "deny protect",
      "allow nothing-lost",
      "allow nothing-lost",
      "allow",
    ]);
  });

  test("a branch that git does not know here may have anything", async () => {
    const clean = await judge("git checkout -f nowhere");
    put("new.txt", "mine\n");
    expect([clean.said, (await judge("git checkout -f nowhere")).said]).toEqual([
      "allow nothing-lost",
      "ask git/discard",
    ]);
  });
});

describe("submodules", () => {
  beforeEach(() => {
    mkdirSync(join(place.home, "lib"));
    const git = (...args: string[]) => execFileSync("git", args, { cwd: join(place.home, "lib") });
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "x", "--allow-empty");
    place.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../lib", "sub/mod");
    place.commit();
  });

  test.each(["git submodule foreach git clean -fd", "git submodule foreach --recursive 'git reset --hard'"])(
    "hold work of their own: %s",
    async (command) => {
      expect((await judge(command)).said).toBe("ask git/discard");
    },
  );

  test("go as a whole where they are named", async () => {
    const clean = await judge("git rm -f sub/mod");
    put("sub/mod/x.txt", "x");
    const dirty = await place.judge("git rm -f sub/mod", Date.now() + 60_000, settings);
    expect([clean.said, dirty.said]).toEqual(["allow", "ask files/unsaved"]);
  });
});
