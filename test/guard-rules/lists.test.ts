import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put } = place;
const protect = { ...defaultSettings.protect, paths: [".env", "*.pem", "migrations/**"] };
const settings = { ...defaultSettings, protect };
const judge = (command: string) => place.judge(command, Date.now() + 60_000, settings);
const kept: Readonly<Record<string, string>> = {
  ".env": "A=two\n",
  "migrations/001.sql": "create table x; -- two\n",
  "src/new.pem": "k two\n",
};

beforeEach(() => {
  put(".gitignore", ".env\nnode_modules/\n");
  put("README.md", "two\n", 100);
  put("env.js", "two\n", 100);
  put("src/c.js", "one two\n", 100);
  put("migrations/001.sql", kept["migrations/001.sql"] ?? "", 100);
  place.commit();
  put("node_modules/x/i.js", "two\n");
  put(".env", kept[".env"] ?? "", 300);
  put("src/new.pem", kept["src/new.pem"] ?? "", 100);
});

/** Runs the command for real; says which of the protected files are not as they were. */
function changedBy(command: string): string[] {
  spawnSync("bash", ["-c", command], { cwd: place.root, stdio: "ignore" });
  return Object.keys(kept).filter((name) => {
    const path = join(place.root, name);
    return !existsSync(path) || readFileSync(path, "utf8") !== kept[name];
  });
}

const edits = "xargs -r sed -i s/two/2/";
const found = "find . -path ./.git -prune -o -type f";

describe("a list is read as the program makes it: what is refused really changes a protected file", () => {
  test.each([
    `git ls-files | grep sql | ${edits}`,
    `git ls-files | grep '\\.\\(js\\|sql\\)$' | ${edits}`,
    `git ls-files | grep -v '\\.md$' | sort | head -50 | ${edits}`,
    "ls -a | grep env | xargs rm",
    "rm $(ls -a | grep env)",
    "rm -rf $(ls | grep migr)",
    `git grep -l two | ${edits}`,
    `git grep -lE 'cre.*x' | xargs sed -i s/create/2/`,
    `git ls-tree -r --name-only HEAD | ${edits}`,
    `git status --short | cut -c4- | ${edits}`,
    "git status --porcelain | awk '/^\\?\\?/{print $2}' | xargs rm",
    'git status -s | while read -r s f; do rm "$f"; done',
    `echo x >> migrations/001.sql; git diff --name-only | ${edits}`,
    `git show --name-only --format= | ${edits}`,
    "sed -i s/two/2/ $(git ls-files)",
    "files=$(git ls-files); sed -i s/two/2/ $files",
    `${found} -exec sed -i s/two/2/ {} + -not -name '.env'`,
    `${found} -not -name .env -exec sed -i s/two/2/ {} +`,
    `find . -name '*.md' -o -type f -mtime +5 -not -path './.git/*' -exec sed -i s/two/2/ {} +`,
    "find . -maxdepth 1 -type f -mtime +10 -delete",
    "find src -type f -mmin +60 -delete",
    "find src -type f -newer .env -delete",
    "find . -regex '.*/\\.e.*' -delete",
    "find src -type f -size -1k -o -type f -size 1 -delete",
    "find src -type f -user $(id -un) -delete",
    "find . -delete -name '*.md'",
    "find . -mindepth 1 -maxdepth 1 -type d -not -name .git -exec rm -rf {} +",
    "git ls-files -o | xargs rm",
    "find . | grep env | xargs rm -rf",
    "find . -type d | grep -E '(migrations|x)$' | xargs rm -rf",
    "find src | grep src | xargs rm -rf",
    "find . | grep -v js | grep src | while read f; do rm -rf $f; done",
    "rm -rf $(find . -type d -not -path '*/.git*' | grep -v node_modules | grep -F s)",
  ])("%s", async (command) => {
    expect((await judge(command)).said).toBe("deny protect");
    expect(changedBy(command)).not.toEqual([]);
  });

  test.each([
    `git ls-files | grep '\\.js$' | ${edits}`,
    `git ls-files | grep -v '^migrations/' | ${edits}`,
    `git ls-files -z | grep -zvF 'migrations/001.sql' | xargs -0 sed -i s/two/2/`,
    `grep -rl two . | grep -v -e node_modules -e '\\.env' -e sql -e pem | ${edits}`,
    `${found} | grep '\\.md$' | ${edits}`,
    "rm $(ls | grep env)",
    `git grep -l two -- . ':!migrations' | ${edits}`,
    `git grep -l 'one.*two' | ${edits}`,
    `git diff --name-only | ${edits}`,
    "git status --short | grep -v pem | awk '{print $2}' | xargs -r rm",
    `cd src && git ls-files | ${edits}`,
    "sed -i s/two/2/ $(git ls-files | grep -v migrations)",
    "sed -i s/two/2/ $(git ls-files -- . ':!migrations')",
    `${found} ! \\( -name .env -o -name '*.sql' -o -name '*.pem' \\) -exec sed -i s/two/2/ {} +`,
    `find . \\( -path ./.git -o -path ./migrations -o -name .env -o -name '*.pem' \\) -prune -o -type f -print | ${edits}`,
    "find . -maxdepth 1 -type f -mtime -2 -delete",
    "find src -type f -size +1M -delete",
    "find . -type f -empty -delete",
    "find . -type l -delete",
    "find . -xtype l -delete",
    "find . -xtype l -exec rm {} +",
    "find -L . -type l -delete",
    "find src -type d -empty -delete",
    "find . -type d -empty | grep -v .git | xargs -r rmdir",
    "find . -mindepth 1 -type d -empty -exec rm -rf {} +",
    "git ls-files -o --exclude-standard | grep -v pem | xargs -r rm",
    "find . | grep -E '(__pycache__|\\.pyc|\\.pyo$)' | xargs rm -rf",
    "find . | grep '\\.js$' | xargs rm -rf",
    "find . -type d | grep node_modules | xargs rm -rf",
    "rm -rf $(find . -type d | grep -E '/x$')",
    "find . | sort | grep -i readme | while read f; do rm -rf $f; done",
    "find src | grep 'src/.*\\.js' | xargs rm -r",
  ])("and this goes through: %s", async (command) => {
    expect((await judge(command)).said).toMatch(/^allow/);
    expect(changedBy(command)).toEqual([]);
  });
});

describe("the way out that a refusal names passes, and leaves the file as it is", () => {
  test.each([
    ["find . -path ./.git -prune -o -type f -exec sed -i s/two/2/ {} +", ["migrations", "src/new.pem"]],
    ["find . -path ./.git -prune -o -type f | xargs sed -i s/two/2/", ["migrations", "src/new.pem"]],
    ["find . -maxdepth 1 -type f -mtime +10 -delete", []],
    ["grep -rl --exclude-dir=.git two . | xargs sed -i s/two/2/", ["migrations", "src/new.pem"]],
    ["grep -rl --exclude-dir=.git two . | grep -v x | xargs sed -i s/two/2/", ["migrations", "src/new.pem"]],
    ["git grep -l two | xargs sed -i s/two/2/", []],
    ["git grep -lz two | xargs -0 sed -i s/two/2/", []],
    ["git status --short | cut -c4- | xargs -r rm", []],
  ])("%s", async (command, gone) => {
    for (const name of gone) spawnSync("rm", ["-rf", name], { cwd: place.root });
    const { said, reason } = await judge(command);
    expect(said).toBe("deny protect");
    const [, words = "", before] =
      /add `([^`]+)` to (?:find|the grep that lists the files)(?:, in front of `([^`]+)`)?/.exec(reason) ??
      [];
    const [, filter = ""] = /put `([^`]+)` behind/.exec(reason) ?? [];
    const better =
      filter !== ""
        ? command.replace(" |", ` ${filter} |`)
        : before === undefined
          ? command.replace(" |", ` ${words} |`)
          : command.replace(` ${before}`, ` ${words} ${before}`);
    expect((await judge(better)).said).toMatch(/^allow|^ask files\/unsaved/);
    const missing = new Set(gone.map((name) => (name === "migrations" ? "migrations/001.sql" : name)));
    expect(changedBy(better).filter((name) => !missing.has(name))).toEqual([]);
  });
});

describe("what fd and rg pass over is not in their lists", () => {
  test.each([
    "fd . -t f | xargs sed -i s/two/2/",
    "fd -e sql -x sed -i s/two/2/ {}",
    "fd -X sed -i s/two/2/",
    "fd -HI . -X sed -i s/two/2/",
    "fd -X rm",
    "fd -HI . -X rm",
    "fd -HIX rm -f",
    "fd -HI -t f -X rm",
    "fdfind -HI --exec-batch rm",
    "fd -HI -d 1 --exec=rm",
    "fd -H 'sql$' -x rm {} \\; -t f",
    "fd -t d . -X rm -rf",
    "rg --files | xargs sed -i s/two/2/",
    "rg -l create | xargs sed -i s/two/2/",
    "rg -l two -g '*.sql' | xargs sed -i s/two/2/",
    "rg -l --hidden --no-ignore A= | xargs sed -i s/two/2/",
    "rg --files | rg sql | xargs rm",
  ])("%s", async (command) => {
    expect((await judge(command)).said).toBe("deny protect");
  });

  test.each([
    "rg -l A= | xargs sed -i s/two/2/",
    "rg -l two -g '!migrations' -g '!*.pem' | xargs sed -i s/two/2/",
    "rg -l two -t js | xargs sed -i s/two/2/",
    "fd . -t f -E migrations -E '*.pem' | xargs sed -i s/two/2/",
    "fd -t f -E migrations -E '*.pem' -X sed -i s/two/2/",
    "fd -HI -t d -X rmdir",
    "fd -HI -t l -X rm",
    "fd -HI -t e -X rm",
    "fd -d 1 -t f -X sed -i -E s/two/2/",
    "fd '\\.(md|js)$' -X sed -i s/two/2/",
    "fd . src -E '*.pem' -x sed -i s/two/2/ {}",
    "fd -X ls -la",
    "rg --files | rg '\\.js$' | xargs sed -i s/two/2/",
  ])("but not %s", async (command) => {
    expect((await judge(command)).said).toMatch(/^allow/);
  });
});

test("Holdfast's own file counts only where it is listed", async () => {
  put("holdfast.yaml", "version: 1\n", 100);
  const commands = ["rm $(ls | grep yaml)", "rm $(ls | grep js)"];
  const answers = await Promise.all(commands.map(judge));
  expect(answers.map(({ said }) => said)).toEqual(["deny self", "allow"]);
});

describe("a pattern that is none, or means something else elsewhere, is not looked for", () => {
  test.each([
    "$+",
    "a\\b?",
    "[z-a]",
    "[b,=:-\\(0]",
    "u[\\]-/]|=",
    ")(",
    "a|*b",
    "(?i)two",
    "x{9",
    "[[:alpha:]",
  ])("%s", async (pattern) => {
    const command = `git ls-files | grep -wE '${pattern}' | ${edits}`;
    expect((await judge(command)).said).toBe("deny protect");
  });
});
