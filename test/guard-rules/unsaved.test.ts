import { beforeEach, describe, expect, test } from "vitest";
import { eachPlace } from "./place.ts";

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
