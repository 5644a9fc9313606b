import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace } from "./place.ts";

const place = eachPlace();
const { put, judge } = place;

describe("a pattern that comes to a file that may not be read", () => {
  const reading = (command: string) => {
    const protect = { ...defaultSettings.protect, reads: ["*.pem", ".env"] };
    return judge(command, undefined, { ...defaultSettings, protect });
  };

  test.each(["cat *", "head -n 1 ./*", "grep -h KEY src/*", "cat s*/*.*", "cp src/* /tmp/x/"])(
    "%s",
    async (command) => {
      const before = (await reading(command)).said;
      put("a.pem", "k\n");
      put("src/b.pem", "k\n");
      put(".env", "A=1\n");
      expect([before, await reading(command)]).toEqual([
        "allow",
        {
          said: "deny reads",
          reason: expect.stringMatching(/^`.*`: .* may not be read: protect\.reads lists/),
        },
      ]);
    },
  );

  test.each(["cat *.ts src/*", "ls *", "cat */*.ts", "echo *"])("but not %s", async (command) => {
    put("a.pem", "k\n");
    put(".env", "A=1\n");
    expect((await reading(command)).said).toBe("allow");
  });
});

describe("a pattern that comes to a protected file here", () => {
  const protectedSaid = "deny protect";
  /** A session that begins after the files were made. */
  const later = () => Date.now() + 60_000;
  beforeEach(() => {
    put(".gitignore", "dist/\nnode_modules/\n.env*\n");
    place.commit();
    put(".env.local", "A=1\n", 100);
    put("packages/api/.env.local", "A=1\n", 100);
    put("src/x.local", "a\n");
    place.commit();
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

  test("nor what a link in a folder leads to: it stays", async () => {
    put("apps/web/a.ts", "a\n");
    symlinkSync(join(place.root, "packages"), join(place.root, "apps/web/packages"));
    place.commit();
    const said = async (command: string) => (await judge(command, later())).said;
    expect([await said("rm -rf apps"), await said("rm -rf apps/web/packages")]).toEqual(["allow", "allow"]);
    expect(await said("rm -rf apps/web/packages/")).toBe(protectedSaid);
  });

  test("nor a folder that this session made, with what is in it", async () => {
    expect((await judge("rm -rf packages/api")).said).toBe("allow");
  });
});

describe("a pattern that comes to Holdfast's own file here", () => {
  const later = () => Date.now() + 60_000;

  test.each(["rm *.yaml", "rm -f *.y*ml", "mv *.yaml old/"])("%s", async (command) => {
    put("a.yaml", "a: 1\n", 100);
    place.commit();
    const before = await judge(command, later());
    put("holdfast.yaml", "version: 1\n", 100);
    const { said, reason } = await judge(command, later());
    expect([before.said, said, reason]).toEqual([
      "allow",
      "deny self",
      expect.stringContaining("holdfast.yaml"),
    ]);
  });

  test.each(["mv ~/.config/opencode/* old/", "rm -rf ~/.config/open*"])(
    "a folder that holds it, too: %s",
    async (command) => {
      const before = await judge(command, later());
      put("../.config/opencode/plugins/holdfast.js", "// holdfast\n", 100);
      const { said, reason } = await judge(command, later());
      expect([before.said, said, reason]).toEqual([
        expect.not.stringContaining("self"),
        "deny self",
        expect.stringContaining("holds ~/.config/opencode/plugins/holdfast.js"),
      ]);
    },
  );

  test.each(["rm *.txt", "cp *.yaml old/", "cat *.yaml", "rm src/*.yaml"])("but not %s", async (command) => {
    put("holdfast.yaml", "version: 1\n", 100);
    put("src/a.yaml", "a: 1\n", 100);
    place.commit();
    expect((await judge(command, later())).said).toBe("allow");
  });
});

describe("a pattern that begins with a folder wildcard", () => {
  const protects = {
    ...defaultSettings,
    protect: { ...defaultSettings.protect, paths: ["secrets/**", "migrations/**"] },
  };
  const commands = [
    "sed -i s/1/9/ */*",
    "perl -pi -e s/1/9/ [a-z]*/*",
    'for f in */*.sql; do echo x > "$f"; done',
    "ls */* | xargs sed -i s/1/9/",
    "truncate -s 0 */*.sql",
    "rm -f */*.sql",
    "rm -f **/*.sql",
    "git rm -f '*.sql'",
    "find . -name '*.sql' -delete",
    "find . -name 1.sql -delete",
    "echo x | tee */1.sql",
    "cp src/a.ts */1.sql",
    "mv */*.sql /nowhere/x/",
  ];

  test.each(commands)("is looked into: %s", async (command) => {
    put("db/1.sql", "1\n");
    place.commit();
    const judged = async () => (await judge(command, Date.now() + 60_000, protects)).said;
    const before = await judged();
    put("migrations/1.sql", "1\n");
    expect([before, await judged()]).toEqual([expect.stringMatching(/^(?:allow|ask files)/), "deny protect"]);
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
    place.commit();
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

  test("what goes beside it is looked into all the same", async () => {
    put("packages/api/.env.local", "A=a", 100);
    place.commit();
    const command = "sed -i s/a/b/ .* && rm -rf packages";
    expect((await judge(command, Date.now() + 60_000)).said).toBe("deny protect");
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
