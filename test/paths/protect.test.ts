import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { guarding, hit, imagined } from "./world.ts";

describe("a pattern without a slash", () => {
  const guard = guarding();
  it.each([
    [".env", hit(".env", ".env")],
    ["./src/deep/.env", hit(".env", "src/deep/.env")],
    ["/etc/nginx/site.key", hit("*.key", "/etc/nginx/site.key")],
    ["~/other/.ENV", hit(".env", "~/other/.ENV")],
    [".env.example", hit(".env.*", ".env.example")],
    [".env.bak", hit(".env.*", ".env.bak")],
    ["certs/Server.PEM", hit("*.pem", "certs/Server.PEM")],
  ])("names the file at any depth: %s", (path, expected) => {
    expect(guard.hit(path)).toEqual(expected);
  });

  it.each([
    ".envrc",
    "env",
    ".environment",
    "src/env.ts",
    "a.pem.txt",
    "pem",
    "keys",
    "monkey",
    "x.keys",
    "a.env",
  ])("leaves %s alone", (path) => {
    expect(guard.hit(path)).toBeNull();
  });
});

describe("a pattern with a slash", () => {
  const guard = guarding();
  it.each([
    ["secrets/token", hit("secrets/**", "secrets/token")],
    ["secrets/a/b/c", hit("secrets/**", "secrets/a/b/c")],
    ["secrets", hit("secrets/**", "secrets")],
    ["/home/dev/app/secrets/token", hit("secrets/**", "secrets/token")],
    ["/home/dev/app/src/../secrets/token", hit("secrets/**", "secrets/token")],
    ["../app/Migrations/1.sql", hit("migrations/**", "Migrations/1.sql")],
    [".github/workflows/ci.yml", hit(".github/workflows/**", ".github/workflows/ci.yml")],
  ])("is relative to the project: %s", (path, expected) => {
    expect(guard.hit(path)).toEqual(expected);
  });

  it.each([
    "src/secrets/token",
    "../secrets/token",
    "/secrets/token",
    "secrets.md",
    "secrets2/a",
    "secrets/../src/a",
    ".github/CODEOWNERS",
    ".github",
    "db/migrations/1.sql",
    ".",
  ])("leaves %s alone", (path) => {
    expect(guard.hit(path)).toBeNull();
  });

  it("is read from a working directory below, above and outside the project", () => {
    const from = (cwd: string) => guarding(undefined, { cwd });
    expect(from("/home/dev/app/src/x").hit("../../secrets/a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(from("/home/dev").hit("app/secrets/a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(from("/home/dev/app/secrets").hit("a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(from("/srv").hit("secrets/a")).toBeNull();
  });

  it("means nothing outside a project, where names still count", () => {
    const guard = guarding(undefined, { root: null });
    expect(guard.hit("secrets/a")).toBeNull();
    expect(guard.hitTree("secrets")).toBeNull();
    expect(guard.hitGlob("secrets/*")).toBeNull();
    expect(guard.hit(".env")).toEqual(hit(".env", ".env"));
  });
});

describe("patterns as people write them", () => {
  it.each([
    ["secrets/", "secrets/a/b"],
    ["./secrets/**", "secrets/a"],
    ["/secrets/**", "secrets/a"],
    ["secrets\\**", "secrets/a"],
    ["/home/dev/app/secrets/**", "secrets/a"],
    ["~/.ssh/**", "/home/dev/.ssh/id"],
    ["/etc/hosts", "/etc/hosts"],
    ["../shared/**", "/home/dev/shared/x"],
    ["**/fixtures/**", "a/b/fixtures/c"],
    ["**/fixtures/**", "fixtures/c"],
    ["**/*.sql", "a.sql"],
    ["{a,b}/*.txt", "b/x.txt"],
    ["conf/[a-c]?.ini", "conf/Bx.ini"],
    ["[!x]*.lock", "yarn.lock"],
    ["[[:digit:]]*.sql", "01.sql"],
    ["**", "anything/at/all"],
    ["Größe/**", "gro\u0308ße/a"],
    ["[unclosed", "[unclosed"],
    ["{a,b", "{a,b"],
    ["{a}", "{a}"],
  ])("%s covers %s", (pattern, path) => {
    expect(guarding([pattern]).hit(path)?.pattern).toBe(pattern);
  });

  it.each([
    ["[!x]*.lock", "x.lock"],
    ["*.sql", "a.sql/b"],
    ["conf/*", "conf/a/b"],
    ["a/**/b", "a/c"],
    ["{a,b}/x", "c/x"],
    ["[unclosed", "unclosed"],
    ["", "x"],
    ["  ", "x"],
    ["a*b", "ac"],
    ["a?", "a"],
  ])("%s does not cover %s", (pattern, path) => {
    expect(guarding([pattern]).hit(path)).toBeNull();
  });

  it("lets exceptions win", () => {
    const guard = guarding(undefined, { except: [".env.example", "secrets/public/**"] });
    expect(guard.hit(".env.example")).toBeNull();
    expect(guard.hit("deep/.ENV.Example")).toBeNull();
    expect(guard.hit("secrets/public/a")).toBeNull();
    expect(guard.hit(".env.local")).toEqual(hit(".env.*", ".env.local"));
    expect(guard.hit("secrets/a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(guard.hitGlob(".env*")).toEqual(hit(".env", ".env*"));
    expect(guard.hitGlob("secrets/public/*.txt")).toBeNull();
  });
});

describe("spellings that a system, a tool or an eye takes for a protected path", () => {
  const guard = guarding();
  it.each([
    ".\\.env",
    "src\\..\\.env",
    "secrets\\token",
    "C:\\work\\.env",
    "C:.env",
    "\\\\?\\C:\\work\\.env",
    "\\\\.\\C:\\work\\.env",
    "\\\\server\\share\\.env",
    "\\\\?\\UNC\\server\\share\\.env",
    ".env.",
    ".env ",
    " .env",
    ".env. . ",
    ".env::$DATA",
    ".env:hidden",
    "secrets::$INDEX_ALLOCATION/token",
    "secrets./token",
    "ENV~1",
    "env~1.loc",
    "MIGRAT~1/1.sql",
    "GITHUB~1/WORKFL~2/ci.yml",
    "．ｅｎｖ",
    "․env",
    ".еnv",
    ".εnν",
    ".e\u200bnv",
    ".env\ufeff",
    "\u202e.env",
    ".e\u0332nv",
    ".𝐞𝐧𝐯",
    ".ᴇɴᴠ",
    ".env\u3164",
    "s\u0435crets/token",
    "secrets／token",
    "secrets∕token",
    "src／..／.env",
    ".env\0.txt",
    ".env\n",
    "file:///home/dev/app/.env",
    "file:///home/dev/app/%2e%65nv",
    "file:///home/dev/app/secrets%2Ftoken",
    "file://localhost/home/dev/app/secrets/token",
    "FILE:///home/dev/app/.env?x#y",
    "file:/home/dev/app/.env",
    "file:///C:/work/.env",
    "file:///home/dev/app/100%/.env",
    "//home//dev//app//secrets//token",
    "/proc/self/cwd/secrets/token",
    "/proc/1234/root/home/dev/app/secrets/token",
    "~/app/secrets/token",
    "~dev/app/secrets/token",
    "‥/app/secrets/token",
  ])("%j", (path) => {
    expect(guard.hit(path)).not.toBeNull();
  });

  it("keeps composed letters apart from plain ones", () => {
    const guard = guarding(["resume.md", "ключ/**"]);
    expect(guard.hit("résumé.md")).toBeNull();
    expect(guard.hit("ключ/a")).toEqual(hit("ключ/**", "ключ/a"));
    expect(guard.hit("КЛЮЧ/a")).toEqual(hit("ключ/**", "КЛЮЧ/a"));
  });

  it("reads a URL's percent signs, but not a file name's", () => {
    expect(guard.hit("%2eenv")).toBeNull();
  });

  it("compares Windows paths with a Windows root", () => {
    const windows = {
      root: "C:\\work\\app",
      cwd: "C:\\work\\app\\src",
      home: "C:\\Users\\dev",
      platform: "win32",
    };
    const guard = guarding(undefined, windows);
    expect(guard.hit("..\\secrets\\a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(guard.hit("c:/WORK/app/secrets/a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(guard.hit("\\work\\app\\secrets\\a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(guard.hit("\\\\?\\C:\\work\\app\\secrets\\a")).toEqual(hit("secrets/**", "secrets/a"));
    expect(guard.hit("D:\\work\\app\\secrets\\a")).toBeNull();
    expect(guard.hit("file:///C:/work/app/secrets/a")).toEqual(hit("secrets/**", "secrets/a"));
  });

  it("shows no control characters and no endless names", () => {
    expect(guard.hit("/x\u001b[2J/.env")?.path).toBe("/x?[2J/.env");
    expect(guard.hit(`${"a".repeat(5000)}.pem`)?.path.length).toBe(201);
  });
});

describe("a directory that is moved, deleted or unpacked into", () => {
  const guard = guarding();
  it.each([
    ["secrets", hit("secrets/**", "secrets")],
    ["secrets/", hit("secrets/**", "secrets")],
    ["secrets/sub", hit("secrets/**", "secrets/sub")],
    ["migrations/", hit("migrations/**", "migrations")],
    [".github/workflows", hit(".github/workflows/**", ".github/workflows")],
    [".github", hit(".github/workflows/**", ".github")],
    ["/home/dev/app/.GitHub", hit(".github/workflows/**", ".GitHub")],
    [".env", hit(".env", ".env")],
  ])("%s takes protected files along", (path, expected) => {
    expect(guard.hitTree(path)).toEqual(expected);
  });

  it.each([
    ".",
    "..",
    "/",
    "~",
    "src",
    ".git",
    "/home/dev/app",
    "node_modules",
    ".github/ISSUE_TEMPLATE",
    "../.github",
  ])("%s is none of it", (path) => {
    expect(guard.hitTree(path)).toBeNull();
  });

  it("reaches as far as the pattern spells out", () => {
    const guard = guarding(["apps/*/keys/**", "*/local/**", "conf/*.ini", "a/b/c.txt"]);
    expect(guard.hitTree("apps")?.pattern).toBe("apps/*/keys/**");
    expect(guard.hitTree("apps/web")?.pattern).toBe("apps/*/keys/**");
    expect(guard.hitTree("apps/web/src")).toBeNull();
    expect(guard.hitTree("src")).toBeNull();
    expect(guard.hitTree("conf")?.pattern).toBe("conf/*.ini");
    expect(guard.hitTree("a/b")?.pattern).toBe("a/b/c.txt");
  });
});

describe("a shell glob", () => {
  const guard = guarding();
  it.each([
    ".env*",
    ".e*",
    ".*",
    ".???",
    ".en[v]",
    ".[a-z]nv",
    "{.env,x}",
    "*.pem",
    "certs/*.key",
    "/tmp/*.key",
    "**/*.pem",
    "secrets/*",
    "secrets/*.txt",
    "secre?s/a",
    "*ecrets",
    "./secrets/*",
    "../app/secrets/*",
    "~/app/secr*/x",
    "/home/dev/*/secrets/x",
    ".github/*",
    ".git*",
    ".github/workflows/*.yml",
    "migrations/0*",
    "MIGR*",
    "secrets\\\\*",
    "secrets/\\*",
  ])("%s could name a protected path", (glob) => {
    expect(guard.hitGlob(glob)).not.toBeNull();
  });

  it.each([
    "*",
    "./*",
    "**",
    "*.*",
    "*.log",
    "src/*",
    "src/**/*",
    "*.pyc",
    "*.bak",
    "*.{js,ts}",
    "dist/*",
    "*.env",
    "?env",
    "test*",
    "~/*",
    "../*",
    "/home/dev/app/*",
    "src/*/index.*",
    "src/secrets/*",
    ".github/*.md",
    ".github/scripts/*",
    "[a-z]*",
  ])("%s does not", (glob) => {
    expect(guard.hitGlob(glob)).toBeNull();
  });

  it("may match hidden files where the program's wildcards do", () => {
    expect(guard.hitGlob("*env")).toBeNull();
    expect(guard.hitGlob("*env", true)).toEqual(hit(".env", "*env"));
    expect(guard.hitGlob("*", true)).toBeNull();
  });

  it("without wildcards is a path", () => {
    expect(guard.hitGlob(".github")).toEqual(guard.hitTree(".github"));
  });
});

describe("hostile input", () => {
  it("is answered without blow-ups", () => {
    const paths = [
      `${"*a".repeat(40)}b`,
      `${"**/a/".repeat(40)}b`,
      "{a,b}".repeat(30),
      "[".repeat(5000),
      `${"{".repeat(4000)},`,
      `${"*".repeat(5000)}x!`,
      "z\\",
      "{,}",
      "[]]",
      "[z-a]",
    ];
    const guard = guarding([...paths, ...defaultSettings.protect.paths], { ...imagined });
    const long = `${"a/".repeat(3000)}${"a".repeat(3000)}`;
    expect(guard.hit(long)).toBeNull();
    expect(guard.hit(`${long}/.env`)?.pattern).toBe(".env");
    expect(guard.hitGlob("*a".repeat(50_000))).toBeNull();
    expect(guard.hitGlob("*/".repeat(50_000))).toBeNull();
    expect(guard.hitGlob(`${"*".repeat(50_000)}.pem`)?.pattern).toBe("*.pem");
    expect(guard.hit("\ud800.env")).toBeNull();
    expect(guard.hit("")).toBeNull();
  });
});
