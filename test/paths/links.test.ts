import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { type Protector, protector } from "../../src/paths/protect.ts";
import { hit, realpathOfExisting } from "./world.ts";

let base = "";
let app = "";

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-links-")));
  app = join(base, "app");
  for (const folder of ["app/secrets", "app/src/deep", "app/.github/workflows", "other"]) {
    mkdirSync(join(base, folder), { recursive: true });
  }
  for (const file of ["app/.env", "app/secrets/token", "other/site.pem", "app/src/a.ts"]) {
    writeFileSync(join(base, file), "x");
  }
  symlinkSync("../.env", join(app, "src/notes.txt"));
  symlinkSync("secrets", join(app, "vault"));
  symlinkSync("src/deep", join(app, "shortcut"));
  symlinkSync(join(base, "other"), join(app, "outside"));
  symlinkSync("../.env.nowhere", join(app, "src/dangling"));
  symlinkSync("src", join(app, "migrations"));
  symlinkSync(app, join(base, "app-link"));
  symlinkSync(join(app, "src"), join(base, "src-link"));
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

function guardIn(root: string, cwd = root): Protector {
  return protector(defaultSettings.protect, {
    root,
    cwd,
    home: base,
    tmp: [],
    platform: process.platform,
    realpath: realpathOfExisting,
  });
}

describe("symlinks on a real disk", () => {
  it("count as the file they lead to", () => {
    expect(guardIn(app).hit("src/notes.txt")).toEqual({
      pattern: ".env",
      path: "src/notes.txt",
      real: ".env",
    });
  });

  it("count in the middle of a path, for files that do not exist yet too", () => {
    const guard = guardIn(app);
    expect(guard.hit("vault/token")).toEqual({
      pattern: "secrets/**",
      path: "vault/token",
      real: "secrets/token",
    });
    expect(guard.hit("vault/new/a")).toEqual({
      pattern: "secrets/**",
      path: "vault/new/a",
      real: "secrets/new/a",
    });
    expect(guard.hitTree("vault")).toEqual({ pattern: "secrets/**", path: "vault", real: "secrets" });
    expect(guard.hitGlob("vault/tok*")?.pattern).toBe("secrets/**");
  });

  it("count as written when only the written path is protected", () => {
    expect(guardIn(app).hit("migrations/a.ts")).toEqual(hit("migrations/**", "migrations/a.ts"));
  });

  it("may lead outside the project, where names still count", () => {
    expect(guardIn(app).hit("outside/site.pem")).toEqual(hit("*.pem", "outside/site.pem"));
    expect(guardIn(app).hit("outside/readme")).toBeNull();
  });

  it("are followed before `..`, as the system does", () => {
    const found = guardIn(app).hit("shortcut/../../secrets/new");
    expect(found).toEqual({ pattern: "secrets/**", path: "shortcut/../../secrets/new", real: "secrets/new" });
  });

  it("leave open files open", () => {
    const guard = guardIn(app);
    expect(guard.hit("src/a.ts")).toBeNull();
    expect(guard.hit("shortcut/a.ts")).toBeNull();
    expect(guard.hitTree("shortcut")).toBeNull();
  });
});

describe("a project root that is a symlink", () => {
  it("is the same project by both names, whichever one Holdfast was given", () => {
    const link = join(base, "app-link");
    for (const root of [app, link]) {
      for (const cwd of [app, link, join(link, "src"), join(base, "src-link")]) {
        const guard = guardIn(root, cwd);
        expect(guard.hit(join(app, "secrets/token"))?.pattern).toBe("secrets/**");
        expect(guard.hit(join(link, "secrets/new"))?.pattern).toBe("secrets/**");
        expect(guard.hitTree(join(link, ".github"))?.pattern).toBe(".github/workflows/**");
        expect(guard.hit(join(link, "src/a.ts"))).toBeNull();
      }
      expect(guardIn(root, join(base, "src-link")).hit("../secrets/new")?.pattern).toBe("secrets/**");
    }
  });
});
