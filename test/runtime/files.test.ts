import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hash, hashAll } from "../../src/core/hash.ts";
import { makePrivateDir, readText, realPath, realPaths, writeAtomic } from "../../src/runtime/files.ts";
import { tempDir } from "../git/repo.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("writeAtomic", () => {
  it("replaces the text, keeps the mode, and leaves nothing else behind", () => {
    const dir = tempDir();
    const file = join(dir, "run.sh");
    writeFileSync(file, "old");
    chmodSync(file, 0o751);
    writeAtomic(file, "new");
    expect([readFileSync(file, "utf8"), modeOf(file), readdirSync(dir)]).toEqual(["new", 0o751, ["run.sh"]]);
  });

  it("gives a mode that was asked for, whatever the umask", () => {
    const file = join(tempDir(), "a");
    writeAtomic(file, "x", { mode: 0o666 });
    expect(modeOf(file)).toBe(0o666);
  });

  it("writes through a symlink, also through one whose target is not there yet", () => {
    const dir = tempDir();
    const home = tempDir();
    for (const name of ["there", "missing"]) symlinkSync(join(home, name), join(dir, name));
    writeFileSync(join(home, "there"), "old");
    for (const name of ["there", "missing"]) writeAtomic(join(dir, name), "new");
    expect(["there", "missing"].map((name) => readFileSync(join(home, name), "utf8"))).toEqual([
      "new",
      "new",
    ]);
    expect(readlinkSync(join(dir, "there"))).toBe(join(home, "there"));
  });

  it("replaces the link itself when told to, so that nobody can aim a state file elsewhere", () => {
    const dir = tempDir();
    const victim = join(tempDir(), "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, join(dir, "state.json"));
    writeAtomic(join(dir, "state.json"), "{}", { replaceLink: true });
    expect([readFileSync(victim, "utf8"), lstatSync(join(dir, "state.json")).isFile()]).toEqual([
      "precious",
      true,
    ]);
  });

  it("throws and leaves no temp file when the folder is missing", () => {
    expect(() => writeAtomic(join(tempDir(), "no", "a"), "x")).toThrow(/ENOENT/);
  });
});

describe("the small ones", () => {
  it("reads what is there and null for the rest", () => {
    const dir = tempDir();
    writeFileSync(join(dir, "a"), "text");
    expect([readText(join(dir, "a")), readText(join(dir, "b")), readText(dir)]).toEqual(["text", null, null]);
  });

  it("makes private folders, and makes loose ones private", () => {
    const dir = join(tempDir(), "a", "b");
    makePrivateDir(dir);
    expect(modeOf(dir)).toBe(0o700);
    chmodSync(dir, 0o755);
    makePrivateDir(dir);
    expect(modeOf(dir)).toBe(0o700);
  });

  it("resolves the part that exists, and links to what does not exist yet", () => {
    const dir = tempDir();
    symlinkSync("real/.env", join(dir, "innocent"));
    symlinkSync(".", join(dir, "here"));
    symlinkSync("loop", join(dir, "loop"));
    expect(["innocent", "here/x/y", "loop"].map((name) => realPath(join(dir, name)))).toEqual([
      join(dir, "real/.env"),
      join(dir, "x/y"),
      join(dir, "loop"),
    ]);
  });

  it("takes `..` after a link from where the link leads, and a path of 200,000 missing folders in one look", () => {
    const dir = tempDir();
    makePrivateDir(join(dir, "a", "b"));
    symlinkSync(join(dir, "a", "b"), join(dir, "link"));
    const missing = `gone${"/x".repeat(200_000)}`;
    for (const name of ["there", "a/there"]) writeFileSync(join(dir, name), "");
    expect(realPath(`${dir}/link/../there`)).toBe(join(dir, "a/there"));
    expect([
      realPath(`${dir}/link/../new`),
      realPath(`${dir}/link/../../q`),
      realPath(`${dir}/${missing}`),
    ]).toEqual([join(dir, "a/new"), join(dir, "q"), join(dir, missing)]);
  });

  it("remembers what it looked up, with the same answers", () => {
    const dir = tempDir();
    makePrivateDir(join(dir, "a", "b"));
    writeFileSync(join(dir, "a", "file"), "");
    symlinkSync(join(dir, "a", "b"), join(dir, "link"));
    symlinkSync("a/.env", join(dir, "innocent"));
    symlinkSync("loop", join(dir, "loop"));
    const look = realPaths();
    const names =
      "a a/file a/file/x a/gone/x link link/new link/../new link/x/../y innocent loop loop/x . .. gone a//file a/ /".split(
        " ",
      );
    const paths = [...names.map((name) => `${dir}/${name}`), "/", `${dir}/gone${"/x".repeat(200_000)}`];
    expect(paths.map((path) => look(path))).toEqual(paths.map((path) => realPath(path)));
  });

  it.runIf(process.platform === "linux")("gives up at once on a file system that refuses folders", () => {
    expect(() => makePrivateDir("/proc/nowhere/at/all")).toThrow(/ENOENT/);
  });
});

describe("hash", () => {
  // Reference values of MurmurHash3_x86_128 with seed 0.
  it("is MurmurHash3 x86 128", () => {
    expect(hash("")).toBe("00000000000000000000000000000000");
    expect(hash("The quick brown fox jumps over the lazy dog")).toBe("2f1583c3ecee2c675d7bf66ce5e91d2c");
    expect(hash("I will not buy this record, it is scratched.")).toBe("a0a9683b25ac5e40d9af2895890dddf5");
  });

  it("sees every byte of every length, and a view like its copy", () => {
    const seen = new Set<string>();
    for (let length = 0; length < 70; length++) {
      const bytes = new Uint8Array(length);
      seen.add(hash(bytes));
      for (let i = 0; i < length; i++) seen.add(hash(bytes.with(i, 1)));
    }
    expect(seen.size).toBe(70 + (69 * 70) / 2);
    const big = Buffer.from("xxsome text in the middlexx");
    expect(hash(big.subarray(2, 25))).toBe(hash("some text in the middle"));
  });

  it("keeps lists apart that join to the same text", () => {
    expect(
      new Set([hashAll(["ab", "c"]), hashAll(["a", "bc"]), hashAll(["abc"]), hashAll(["abc", ""])]).size,
    ).toBe(4);
  });
});
