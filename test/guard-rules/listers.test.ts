import { describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put, judge } = place;
const said = async (command: string) => (await judge(command)).said;

describe("files that grep lists are those that hold the word", () => {
  test.each([
    "grep -rl token . | xargs sed -i s/token/key/",
    "grep -rlw token . | xargs -r perl -pi -e s/token/key/",
    "grep -rl -e word -e token . | xargs sed -i s/token/key/",
    "find . -type f | xargs grep -l token | xargs sed -i s/token/key/",
    "grep -rlE 'token|key' . | xargs sed -i s/token/key/",
    "grep -rl 'to.*n$' . | xargs sed -i s/token/key/",
    "sed -i s/token/key/ $(grep -rl token .)",
    'for f in $(grep -rl token .); do sed -i s/token/key/ "$f"; done',
  ])("%s", async (command) => {
    put(".env", "A=1");
    const without = await said(command);
    put(".env", "A=TOKEN");
    expect([without, await said(command)]).toEqual(["allow nothing-lost", "deny protect"]);
  });

  test.each([
    "grep -rL token . | xargs sed -i s/token/key/",
    'grep -rl "$WORD" . | xargs sed -i s/token/key/',
    "find . -type f -exec sed -i s/token/key/ {} +",
  ])("but not where that is not known: %s", async (command) => {
    put(".env", "A=1");
    expect(await said(command)).toBe("deny protect");
  });
});

test("files that git lists are those that it tracks", async () => {
  put(".gitignore", ".env\nkeys/\n");
  place.commit();
  put(".env", "A=1");
  put("keys/a.pem", "x");
  put("new.pem", "x");
  const command = "git ls-files | xargs sed -i s/a/b/";
  const before = await said(command);
  place.git("add", "-f", "keys/a.pem");
  expect([before, await said(command)]).toEqual(["allow nothing-lost", "deny protect"]);
});

describe("the refusal of what nobody named says how to name less", () => {
  test.each([
    ["grep -rl a . | xargs sed -i s/a/b/", "--exclude='.env'", "--include='*.ts'"],
    ["find . -type f -exec sed -i s/a/b/ {} +", "-not -name '.env'", "-exec", "-name '*.ts'"],
    ["find . -type f | xargs sed -i s/a/b/", "-not -name '.env'", "-name '*.ts'"],
    ["fd -H . -X sed -i s/a/b/", "-E '.env'", "-e ts"],
    ["git ls-files | xargs sed -i s/a/b/", "git ls-files '*.ts'", "git ls-files '*.ts'"],
  ])("%s", async (command, ...ways) => {
    put(".env", "A=a");
    place.commit();
    const { reason } = await judge(command);
    for (const way of ways) expect(reason).toContain(`\`${way}\``);
  });

  test.each([
    "grep -rl --exclude='.env' a . | xargs sed -i s/a/b/",
    "grep -rl --include='*.ts' a . | xargs sed -i s/a/b/",
    "find . -type f -not -name '.env' -exec sed -i s/a/b/ {} +",
    "fd -E '.env' -H . -X sed -i s/a/b/",
    "fd -H -e ts . -X sed -i s/a/b/",
    "git ls-files '*.ts' | xargs sed -i s/a/b/",
  ])("and that goes through: %s", async (command) => {
    put(".env", "A=a");
    place.commit();
    expect(await said(command)).toMatch(/^allow/);
  });
});

test("a folder is not written by what writes files", async () => {
  const { protect } = defaultSettings;
  const settings = { ...defaultSettings, protect: { ...protect, paths: ["secrets/**"] } };
  put("secrets/k", "1");
  const commands = ["sed -i s/1/2/ *", "sed -i s/1/2/ */*"];
  const words = await Promise.all(commands.map((command) => judge(command, undefined, settings)));
  expect(words.map((one) => one.said)).toEqual(["allow", "deny protect"]);
});
