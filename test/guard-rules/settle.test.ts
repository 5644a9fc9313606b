import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { eachPlace, judgeIn } from "./place.ts";

/** Below the temp folder nothing is outside. */
const inTemp = process.cwd().startsWith("/tmp/");

const place = eachPlace();
const { put, judge } = place;

/** The session began after everything was made. */
const said = async (command: string) => (await judge(command, Date.now() + 60_000)).said;

function putHome(name: string): void {
  mkdirSync(dirname(join(place.home, name)), { recursive: true });
  writeFileSync(join(place.home, name), "text\n");
}

beforeEach(() => {
  for (const name of [".ssh/id", ".bashrc", "old.txt", "data/x.csv", "data/deep/y.csv"]) putHome(name);
  put("notes/plan.md", "x", 5);
  put("notes/deep/more.md", "x", 5);
  const links = { etc: "/etc", top: "/", h: place.home, data: join(place.home, "data"), l: "notes" };
  for (const [name, target] of Object.entries({ ...links, g: ".git", self: ".", deep: "../data/deep" }))
    symlinkSync(target, join(place.root, name));
});

test.each([
  "echo x > /dev/stdout",
  "echo x > /dev/fd/2",
  "npm test > >(tee out.log) 2>&1",
  "exec > >(tee out.log); npm test",
])("a descriptor is no place: %s", async (command) => {
  expect(await said(command)).toBe("allow");
});

describe.skipIf(inTemp)("what lies behind a link of the project", () => {
  test.each([
    ["rm etc/hosts", "ask files/delete-outside"],
    ["rm -f -- ./etc/../etc/hosts", "ask files/delete-outside"],
    ["echo x > etc/hosts", "ask files/overwrite-outside"],
    ["echo x > etc/new-file", "ask files/overwrite-outside"],
    ["sed -i s/a/b/ etc/hosts", "ask files/overwrite-outside"],
    ["cp src/a.ts etc/hosts", "ask files/overwrite-outside"],
    ["chmod -R 777 etc/", "ask system/permissions"],
    ["chmod -R 777 etc", "ask system/permissions"],
    ["rm -rf etc/*", "ask files/rm-broad"],
    ["rm -rf etc/", "ask files/rm-broad"],
    ["find etc/ -name '*.conf' -delete", "ask files/delete-outside"],
    ["rm -rf top/*", "ask files/rm-broad"],
    ["(cd top && rm -rf usr)", "ask files/rm-broad"],
    ["dd if=/dev/zero of=top/dev/sda", "ask system/disk"],
    ["echo x > etc/sudoers", "ask files/overwrite-outside,system/users"],
    ["rm -rf h/.ssh", "ask files/rm-broad"],
    ["cd h && rm old.txt", "ask files/delete-outside"],
    ["echo x > h/.bashrc", "ask files/overwrite-outside"],
    ["echo x > h/old.txt", "ask files/overwrite-outside"],
    ["rm -rf h/*", "ask files/rm-broad"],
    ["python3 -c \"import shutil; shutil.rmtree('h/data')\"", "ask files/rm-broad"],
    ["rsync -a --delete src/ data", "ask files/rm-broad"],
    ["rm data/x.csv", "ask files/delete-outside"],
    ["cd deep && rm -rf ../deep", "ask files/rm-broad"],
    ["cd deep && rm ../x.csv", "ask files/delete-outside"],
    ["rm deep/../x.csv", "ask files/delete-outside"],
    ["find data/. -delete", "ask files/rm-broad"],
    ["find -L data -type f -delete", "ask files/rm-broad"],
    ["find -H data -delete", "ask files/rm-broad"],
    ["find data -follow -type f -delete", "ask files/rm-broad"],
    ["cd data && find . -type f -delete", "ask files/rm-broad"],
    ["cd data && find . -mindepth 1 -delete", "ask files/rm-broad"],
    ["rm -rf l/*", "ask files/unsaved"],
    ["rm -rf l/deep", "ask files/unsaved"],
    ["rm -rf self/notes", "ask files/unsaved"],
    ["cd l && rm -rf deep", "ask files/unsaved"],
    ["rm -rf g/hooks", "ask git/no-verify"],
    ["rm -rf g/refs", "ask files/git-folder"],
    ["echo x > g/config", "ask files/git-folder"],
  ])("is judged by where it is: %s", async (command, expected) => {
    expect(await said(command)).toBe(expected);
  });

  test.each([
    "rm etc",
    "rm -rf h",
    "rm -f l self g",
    "unlink data",
    "find data -delete",
    "find -P data -delete",
    "find . -name '*.csv' -delete",
    "find -L . -name '*.txt' -path '*/notes/*' -delete",
    "find -L notes -name '*.csv' -delete",
    "find -L . -name '*.csv' -print",
    "fd a.csv -X rm",
    "fd -L nothing.csv -X rm",
    "rm -rf ./data",
    "mv data old-data",
    "ln -sfn notes etc",
    "ln -sf notes new",
    "rm h && mkdir h && echo x > h/old.txt",
    "rm data; git checkout -- data",
    "cat etc/hosts h/.bashrc",
    "cp h/old.txt notes/",
    "rm -rf dist",
    "echo x > self/src/a.ts",
    "rm self/src/a.ts",
    "rm -rf ./src/../dist",
    "echo x > src/../README.md",
    "chmod -R 755 l",
  ])("but the link itself, and what stays in the project, is the project's own: %s", async (command) => {
    expect((await said(command)).replace(" nothing-lost", "")).toBe("allow");
  });

  describe("where a list goes through the links of a folder", () => {
    // The other links lead to more names than are looked at.
    beforeEach(() => {
      for (const name of ["etc", "top", "h"]) rmSync(join(place.root, name));
    });

    test.each([
      ["find -L . -name '*.csv' -delete", "ask files/delete-outside"],
      ["find . -follow -name y.csv -delete", "ask files/delete-outside"],
      ["find -L . -name '*.csv' -exec rm {} +", "ask files/delete-outside"],
      ["find -L . -name '*.csv' | xargs rm -f", "ask files/delete-outside"],
      ["fd -L x.csv -X rm", "ask files/delete-outside"],
      ["fd --follow -e csv -x rm", "ask files/delete-outside"],
      ["find -L . -name '*.csv' | xargs sed -i s/a/b/", "ask files/overwrite-outside"],
      ["rg -lL text | xargs sed -i s/a/b/", "ask files/overwrite-outside"],
      ["grep -Rl text . | xargs sed -i s/a/b/", "ask files/overwrite-outside"],
      ["grep -rl text . | xargs sed -i s/a/b/", "allow"],
      ["grep -Rl none . | xargs sed -i s/a/b/", "allow"],
      ["find -L . -name '*.pyc' -delete", "allow"],
      ["find -L src -name '*.csv' -delete", "allow"],
    ])("what it comes to counts where it is: %s", async (command, expected) => {
      expect((await said(command)).replace(" nothing-lost", "")).toBe(expected);
    });

    test("but what this session made there may go", async () => {
      expect((await judge("find -L . -name '*.csv' -delete")).said).toBe("allow");
    });
  });

  test("a new file of the project's own data goes through, and so does what this session made there", async () => {
    const made = async (command: string) => (await judge(command)).said;
    expect([
      await said("echo x > data/new.csv"),
      await said("echo x > data/x.csv"),
      await made("echo x > data/x.csv"),
      await made("rm -rf data/deep"),
      await made("rm etc/hosts"),
    ]).toEqual([
      "allow nothing-lost",
      "ask files/overwrite-outside",
      "allow nothing-lost",
      "allow nothing-lost",
      "ask files/delete-outside",
    ]);
  });

  test("dependencies that are shared by a link stay, what tools keep in there may go", async () => {
    putHome("deps/node_modules/.cache/x");
    putHome("deps/node_modules/left/index.js");
    symlinkSync(join(place.home, "deps/node_modules"), join(place.root, "node_modules"));
    const commands = ["node_modules", "node_modules/.cache", "node_modules/left", "node_modules/*"];
    expect(await Promise.all(commands.map((path) => said(`rm -rf ${path}`)))).toEqual([
      "allow",
      "allow nothing-lost",
      "ask files/rm-broad",
      "ask files/rm-broad",
    ]);
  });

  test("the question says where it leads", async () => {
    expect((await judge("rm etc/hosts")).reason).toContain("(etc/hosts leads to /etc/hosts)");
  });
});

describe.skipIf(inTemp)("a project that is reached through a link", () => {
  /** From the folder itself, and from a link to it. */
  const bothWays = async (command: (there: string) => string) => {
    const linked = join(place.home, "linked");
    const since = Date.now() + 60_000;
    const from = async (root: string, other: string) => {
      const judged = await judgeIn({ home: place.home, root }, command(other), since, defaultSettings);
      return judged.said.replace(" nothing-lost", "");
    };
    return [await from(place.root, linked), await from(linked, place.root)];
  };
  beforeEach(() => symlinkSync(place.root, join(place.home, "linked")));

  test.each([
    ["rm -rf X/dist", "allow"],
    ["rm -rf .", "ask files/rm-broad"],
    ['mv "$PWD" ../x', "ask files/rm-broad"],
    ["cd X && rm -rf dist", "allow"],
    ["echo x > X/README.md", "allow"],
    ["rm X/src/a.ts", "allow"],
    ["cd X && git checkout .", "allow"],
    ["cd X/src && git clean -fd .", "allow"],
    ["cd X && git clean -fd notes", "ask git/discard"],
    ["rm -rf X/notes", "ask files/unsaved"],
    ["cd X && rm -rf notes", "ask files/unsaved"],
    ["rm -rf X/", "ask files/rm-broad"],
    ["rm -rf X/.git", "ask files/git-folder"],
    ["echo x > X/.env", "deny protect"],
    ["cd X && rm -rf .", "ask files/rm-broad"],
    ["cd X && rm -rf $(pwd)", "ask files/rm-broad"],
    ['cd X && rm -rf "$PWD"', "ask files/rm-broad"],
    ["cd X && mv . ../x", "ask files/rm-broad"],
    ["cd X && find . -delete", "ask files/rm-broad"],
    ["cd X && find . -mindepth 1 -delete", "ask files/rm-broad"],
    ["cd X && find . -type f -delete", "ask files/rm-broad"],
    ["cd X && npx rimraf .", "ask files/rm-broad"],
    ["cd X && tar cf /nowhere/a.tar --remove-files .", "ask files/rm-broad"],
    ["cd X && fd . -X rm -rf", "ask files/rm-broad"],
    ["cd X && python3 -c \"import shutil; shutil.rmtree('.')\"", "ask files/rm-broad"],
    ["rm X/../old.txt", "ask files/delete-outside"],
  ])("is itself either way: %s: %s", async (command, expected) => {
    expect(await bothWays((there) => command.replace("X", there))).toEqual([expected, expected]);
  });
});
