import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put } = place;

const settings = {
  ...defaultSettings,
  protect: { ...defaultSettings.protect, paths: [".env", "secrets/**", ".github/workflows/**"] },
};
const judge = (command: string) => place.judge(command, undefined, settings);
const said = async (command: string) => (await judge(command)).said;

describe("a copy of a whole folder", () => {
  const copies = [
    "cp -r ../other/. .",
    "cp -aT ../other .",
    "cp -R ../other/* .",
    "rsync -a ../other/ .",
    "rsync -a --exclude=.git ../other/ ./",
    "cd .. && cp -r other/secrets holdfast",
    "(cd ../other && tar cf - .) | tar xf -",
    "tar cf - -C ../other . | tar x",
  ];
  beforeEach(() => {
    put("../other/secrets/k", "2");
    put("../other/src/a.ts", "other");
  });

  test.each(copies)("goes through where it overwrites nothing that is protected: %s", async (command) => {
    const none = await said(command);
    put("secrets/mine", "1");
    const beside = await said(command);
    put("secrets/k", "2");
    expect([none, beside, await said(command)]).toEqual(["allow", "allow", "allow"]);
  });

  test.each(copies)("is refused where it would overwrite a protected file: %s", async (command) => {
    put("secrets/k", "1");
    const judged = await judge(command);
    expect(judged.said).toBe("deny protect");
    expect(judged.reason).toContain("secrets/k is protected");
    expect(judged.reason).toContain("--exclude=");
  });

  test.each([
    "cp -rn ../other/. .",
    "cp -r ../other .",
    "cp -r ../other/. new",
    "rsync -a ../other .",
    "rsync -a --exclude=secrets/k ../other/ .",
    "rsync -a --include='*.ts' --exclude=/secrets/* ../other/ .",
    "rsync -a --ignore-existing ../other/ .",
    "rsync -an ../other/ .",
    "mv ../other/* .",
    "(cd ../other && tar cf - src) | tar xf -",
  ])("but not %s", async (command) => {
    put("secrets/k", "1");
    expect(await said(command)).toBe("allow");
  });

  test("Holdfast's own file may not come along, new or other", async () => {
    put("../other/holdfast.yaml", "tests: {}\n");
    const made = await said("cp -r ../other/. .");
    put("holdfast.yaml", "tests: {}\n");
    const same = await said("cp -r ../other/. .");
    put("../other/holdfast.yaml", "protect: {}\n");
    expect([made, same, await said("rsync -a ../other/ .")]).toEqual(["deny self", "allow", "deny self"]);
  });
});

describe("rsync --delete", () => {
  beforeEach(() => {
    put("../other/src/a.ts", "a\n");
    put("site/secrets.pem", "x", 5);
    put("../other/site/index.html", "x");
  });
  const pems = { ...settings, protect: { ...settings.protect, paths: ["*.pem"] } };
  const judged = async (command: string) => (await place.judge(command, Date.now() + 60_000, pems)).said;

  test.each(["rsync -a --delete ../other/site/ site", "rsync -a --del ../other/site/ ./site/"])(
    "may not take a protected file away: %s",
    async (command) => {
      expect(await judged(command)).toBe("deny protect");
    },
  );

  test.each([
    "rsync -a --delete --exclude='*.pem' ../other/site/ site/",
    "rsync -a --delete ../other/src/ src/",
    "rsync -a ../other/site/ site/",
  ])("but %s does not", async (command) => {
    place.commit();
    expect(await judged(command)).toBe("allow");
  });
});

test("names that a pattern copies are those of its sources, not those that are there", async () => {
  put("secrets/k", "1");
  put(".env", "A=1");
  put("tpl/b.ts", "x");
  put("tpl/.npmrc", "x");
  const harmless = [await said("cp tpl/* ."), await said("mv tpl/* ."), await said("cp tpl/.* .")];
  put("tpl/.env", "A=2");
  expect([...harmless, await said("cp tpl/.* .")]).toEqual([
    "allow",
    "allow",
    "allow nothing-lost",
    "deny protect",
  ]);
});

describe("an archive on the disk", () => {
  const pack = (...args: string[]) => execFileSync("tar", args, { cwd: join(place.root, "pack") });
  beforeEach(() => {
    put("pack/.env", "A=2");
    put("pack/readme", "x");
    put("pack/top/.env", "A=2");
    pack("czf", "../all.tgz", ".env", "readme");
    pack("cf", "../dotted.tar", "./.env");
    pack("czf", "../top.tgz", "top");
    pack("cf", "../ok.tar", "readme");
    put("all.zip", zip([".env", "readme"]));
    put("ok.zip", zip(["readme"]));
  });

  test.each([
    "tar xzf all.tgz",
    "tar -xf all.tgz -C .",
    "tar xf dotted.tar",
    "tar xf all.tgz .env",
    "tar xzf top.tgz --strip-components=1",
    "tar xz < all.tgz",
    "tar xzf al*.tgz",
    "cat all.tgz | tar xz",
    "gunzip -c all.tgz | tar x",
    "unzip -o all.zip",
    "unzip all.zip -d .",
    "7z x all.zip",
    "7zz x -y all.zip -o.",
    "jar xf all.zip",
    "python3 -m zipfile -e all.zip .",
    "python -m tarfile --extract all.tgz",
  ])("may not overwrite a protected file: %s", async (command) => {
    const before = /tar xf all.tgz .env/.test(command) ? "allow" : await said(command);
    put(".env", "A=1");
    const judged = await judge(command);
    expect([before, judged.said]).toEqual(["allow", "deny protect"]);
    expect(judged.reason).toContain(".env is protected");
  });

  test.each([
    "tar tzf all.tgz",
    "tar xzf all.tgz readme",
    "tar xzf all.tgz --exclude=.env",
    "tar xzkf all.tgz",
    "tar xzf all.tgz -C src",
    "tar xzf top.tgz",
    "tar xf ok.tar",
    "tar xf none.tar",
    "tar xf src/a.ts",
    "unzip ok.zip",
    "unzip -o all.zip -x .env",
    "unzip -n all.zip",
    "unzip -l all.zip",
    "7z l all.zip",
    "7z x -aos all.zip",
    "7z x all.zip '-x!.env'",
    "7z x all.zip -osrc",
    "jar xkf all.zip",
    "jar tf all.zip",
    "python -m zipfile -l all.zip",
  ])("but %s does not", async (command) => {
    put(".env", "A=1");
    expect(await said(command)).toBe("allow");
  });
});

test.each(["cat p.diff | git apply -", "cat p.diff | git apply", "cat a.diff p.diff | patch -p1"])(
  "a patch that is piped from a file is read there: %s",
  async (command) => {
    put("a.diff", "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n");
    put("p.diff", "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n");
    const harmless = await said(command);
    put("p.diff", "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-A=1\n+A=2\n");
    expect([harmless, await said(command)]).toEqual(["allow", "deny protect"]);
  },
);

describe("what git gives of another commit", () => {
  const commands = [
    "git archive other | tar x",
    "git archive other | tar x -C .",
    "git diff HEAD other | git apply",
    "git diff HEAD..other | patch -p1",
    "git show other | git apply --3way",
    "cd src && git archive other | (cd .. && tar x)",
  ];

  test.each(commands)("is looked into before it is put over protected files: %s", async (command) => {
    const switchTo = (...args: string[]) => place.git("checkout", "-q", ...args);
    put("secrets/k", "1");
    put("secrets/same", "1");
    place.commit();
    switchTo("-b", "other");
    put("src/a.ts", "other");
    place.commit();
    switchTo("-");
    const harmless = await said(command);
    switchTo("other");
    put("secrets/k", "2");
    place.commit();
    switchTo("-");
    const judged = await judge(command);
    expect([harmless, judged.said]).toEqual(["allow", "deny protect"]);
    expect(judged.reason).toContain("secrets/k is protected");
    expect(judged.reason).not.toContain("secrets/same");
  });

  test.each([
    "git archive none | tar x",
    "git archive HEAD | tar x -C /nowhere/x",
    "git archive HEAD --output=/nowhere/x.tar",
    "git diff none other | git apply",
    "git diff | git apply --check",
    "git archive HEAD | tar x --exclude=secrets",
  ])("but %s says nothing", async (command) => {
    put("secrets/k", "1");
    place.commit();
    put("secrets/k", "2");
    expect(await said(command)).toMatch(/^allow|^ask files/);
  });
});

/** The list at the end of a zip archive: nothing else of it is read. */
function zip(names: readonly string[]): Buffer {
  const entries = names.map((name) => {
    const head = Buffer.alloc(46);
    head.write("PK\u0001\u0002", "latin1");
    head.writeUInt16LE(name.length, 28);
    return Buffer.concat([head, Buffer.from(name)]);
  });
  const list = Buffer.concat(entries);
  const start = Buffer.from("PK\u0003\u0004", "latin1");
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(start.length, 16);
  return Buffer.concat([start, list, end]);
}
