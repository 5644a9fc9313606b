import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { loadManifest } from "../../src/manifest/load.ts";
import { findManifest, loadSettings } from "../../src/manifest/snapshot.ts";

let base: string;
let home: string;
let root: string;
let compiled: number;
const compiler = async () => (bytes: Uint8Array, file: string) => {
  compiled++;
  return loadManifest(bytes, file);
};
const load = (cwd = root, env = {}) => loadSettings(root, cwd, env, home, compiler);

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "holdfast-snapshot-"));
  home = join(base, "home");
  root = join(base, "project");
  mkdirSync(join(root, "a", "b"), { recursive: true });
  mkdirSync(home);
  compiled = 0;
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Writes a manifest whose time stamp lies well in the past, as that of any manifest at rest. */
function manifest(text: string, file = join(root, "holdfast.yaml"), ageSeconds = 100): void {
  writeFileSync(file, text);
  const at = Date.now() / 1000 - ageSeconds;
  utimesSync(file, at, at);
}

describe("which manifest counts", () => {
  test("none: the defaults, at once", () => {
    expect(load()).toEqual({ settings: defaultSettings, file: null, problems: [], warning: null });
  });

  test("the nearest one upwards to the root, .yaml before .yml", () => {
    const deep = join(root, "a", "b");
    expect(findManifest(root, deep, {}, home)).toBe(null);
    writeFileSync(join(base, "holdfast.yaml"), "");
    expect(findManifest(root, deep, {}, home)).toBe(null);
    writeFileSync(join(root, "holdfast.yml"), "");
    expect(findManifest(root, deep, {}, home)).toBe(join(root, "holdfast.yml"));
    writeFileSync(join(root, "holdfast.yaml"), "");
    expect(findManifest(root, deep, {}, home)).toBe(join(root, "holdfast.yaml"));
    writeFileSync(join(root, "a", "holdfast.yaml"), "");
    expect(findManifest(root, deep, {}, home)).toBe(join(root, "a", "holdfast.yaml"));
  });

  test("an agent started above the root or in a folder that is gone still finds the root's", () => {
    writeFileSync(join(root, "holdfast.yaml"), "");
    expect(findManifest(root, base, {}, home)).toBe(join(root, "holdfast.yaml"));
    expect(findManifest(root, join(root, "gone", "too"), {}, home)).toBe(join(root, "holdfast.yaml"));
  });

  test("outside a project only the folder itself is looked at", () => {
    writeFileSync(join(base, "holdfast.yaml"), "");
    expect(findManifest(null, root, {}, home)).toBe(null);
    expect(findManifest(null, base, {}, home)).toBe(join(base, "holdfast.yaml"));
  });

  test("else the person's own, where XDG_CONFIG_HOME says", () => {
    const own = join(home, ".config", "holdfast");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "holdfast.yaml"), "");
    expect(findManifest(root, root, {}, home)).toBe(join(own, "holdfast.yaml"));
    expect(findManifest(root, root, { XDG_CONFIG_HOME: join(base, "xdg") }, home)).toBe(null);
    expect(findManifest(root, root, { XDG_CONFIG_HOME: "relative" }, home)).toBe(join(own, "holdfast.yaml"));
  });

  test("a directory of that name stands back behind every file of the project, and before the person's own", () => {
    const [folder, below] = [join(root, "holdfast.yaml"), join(root, "sub", "holdfast.yaml")];
    const own = join(home, ".config", "holdfast");
    for (const dir of [folder, below, own]) mkdirSync(dir, { recursive: true });
    manifest("version: 1\n", join(own, "holdfast.yaml"));
    expect(findManifest(root, root, {}, home)).toBe(folder);
    manifest("version: 1\n", join(root, "holdfast.yml"));
    expect(findManifest(root, join(root, "sub"), {}, home)).toBe(join(root, "holdfast.yml"));
  });
});

describe("the snapshot", () => {
  test("the second load answers without a promise and without compiling", async () => {
    manifest("review: { max_diff_lines: 7 }\n");
    const first = await load();
    const second = load();
    expect(second).toEqual(first);
    expect(second).not.toBeInstanceOf(Promise);
    expect(first).toEqual({
      settings: { ...defaultSettings, review: { maxDiffLines: 7 } },
      file: join(root, "holdfast.yaml"),
      problems: [],
      warning: null,
    });
    expect(compiled).toBe(1);
  });

  test("an edit is seen by the next load, also one of the same length and time", async () => {
    manifest("review: { max_diff_lines: 7 }\n");
    await load();
    manifest("review: { max_diff_lines: 8 }\n");
    expect((await load()).settings.review.maxDiffLines).toBe(8);
    manifest("review: { max_diff_lines: 9 }\n", undefined, 500);
    expect((await load()).settings.review.maxDiffLines).toBe(9);
  });

  test("a file edited this very moment is compiled again, so that a second edit in the same tick counts", async () => {
    manifest("review: { max_diff_lines: 7 }\n", undefined, -60);
    await load();
    await load();
    expect(compiled).toBe(2);
  });

  test("it lies in a private folder, in a private file", async () => {
    manifest("version: 1\n");
    await load();
    const folder = join(home, ".holdfast", "snapshots");
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, names[0] ?? "")).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["half", '{"key":"1|'],
    ["empty", ""],
    ["something else", "[]"],
  ])("a torn snapshot (%s) is made anew", async (_, text) => {
    manifest("review: { max_diff_lines: 7 }\n");
    await load();
    const folder = join(home, ".holdfast", "snapshots");
    writeFileSync(join(folder, readdirSync(folder)[0] ?? ""), text);
    expect((await load()).settings.review.maxDiffLines).toBe(7);
    expect(compiled).toBe(2);
    expect(load()).not.toBeInstanceOf(Promise);
  });

  test("a state folder that cannot be written costs nothing but time", async () => {
    manifest("review: { max_diff_lines: 7 }\n");
    writeFileSync(join(base, "file"), "");
    const env = { HOLDFAST_HOME: join(base, "file", "below") };
    expect((await load(root, env)).settings.review.maxDiffLines).toBe(7);
    expect((await load(root, env)).settings.review.maxDiffLines).toBe(7);
  });
});

describe("a manifest that cannot be used", () => {
  test("the built-in guards stay on, the place is told, the person is warned once per edit", async () => {
    const file = join(root, "holdfast.yaml");
    manifest("tests:\n  command: [\n");
    const first = await load();
    expect(first).toMatchObject({ settings: defaultSettings, file });
    expect(first.problems[0]).toMatchObject({ code: "HF301", where: { file, line: 3, column: 1 } });
    expect(first.warning).toMatch(
      /^Holdfast: .*holdfast\.yaml:3:1: the file does not parse \(.+\)\. The built-in guards stay on\. See: holdfast doctor$/,
    );
    expect(await load()).toEqual({ ...first, warning: null });
    manifest("tests:\n  command: [ \n");
    expect((await load()).warning).not.toBe(null);
  });

  test("one wrong value warns and leaves the rest in force", async () => {
    manifest("tests: { max_retries: x }\nreview: { max_diff_lines: 7 }\n");
    const { settings, warning } = await load();
    expect(settings).toEqual({ ...defaultSettings, review: { maxDiffLines: 7 } });
    expect(warning).toContain("The rest of the file is in force.");
  });

  test("a compiler that cannot be loaded leaves the guards on and says so", async () => {
    manifest("version: 1\n");
    const broken = () => Promise.reject(new Error("no such file"));
    expect(await loadSettings(root, root, {}, home, broken)).toMatchObject({
      settings: defaultSettings,
      problems: [{ code: "HF302", cause: "no such file" }],
    });
  });

  test.each([
    ["a folder", (file: string) => mkdirSync(file), "it is a folder"],
    ["a link that leads in a circle", (file: string) => symlinkSync(file, file), /^ELOOP/],
    ["a link to nothing", (file: string) => symlinkSync(`${file}.gone`, file), /^ENOENT/],
    ["a pipe", (file: string) => execFileSync("mkfifo", [file]), "it is no regular file"],
  ])("%s of that name is told instead of the defaults in silence", async (_, make, cause) => {
    const file = join(root, "holdfast.yaml");
    make(file);
    const { settings, problems, warning } = await load();
    expect(settings).toEqual(defaultSettings);
    expect(problems).toMatchObject([{ code: "HF302", where: { file }, cause: expect.stringMatching(cause) }]);
    expect(warning).toContain("the manifest cannot be read");
  });
});
