import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { archiveMembers } from "../../src/runtime/archive.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-archive-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the names in an archive", () => {
  const long = `${"long".repeat(40)}/${"name".repeat(30)}.txt`;
  const split = `${"a".repeat(90)}/${"b".repeat(60)}`;

  test.each(["gnu", "posix", "ustar"])("are read from tar in the format %s", async (format) => {
    const names = ["a.txt", "sub/b ü.txt", split, ...(format === "ustar" ? [] : [long])];
    for (const name of names) {
      mkdirSync(join(folder, "in", name, ".."), { recursive: true });
      writeFileSync(join(folder, "in", name), "x".repeat(1500));
    }
    const archive = join(folder, "x.tar");
    execFileSync("tar", [`--format=${format}`, "-cf", archive, "-C", join(folder, "in"), "."]);
    const packed = join(folder, "x.tgz");
    execFileSync("sh", ["-c", `gzip -c ${archive} > ${packed}`]);
    const wanted = names.map((name) => `./${name}`).sort();
    expect([...((await archiveMembers(archive)) ?? [])].sort()).toEqual(wanted);
    expect([...((await archiveMembers(packed)) ?? [])].sort()).toEqual(wanted);
  });

  for (const [program, flag] of [
    ["bzip2", "-j"],
    ["xz", "-J"],
    ["zstd", "--zstd"],
  ] as const)
    test.skipIf(spawnSync(program, ["--version"]).error)(
      `are what tar lists where it is packed by ${program}`,
      async () => {
        for (const name of [".env", "ü.txt"]) writeFileSync(join(folder, name), "x");
        const archive = join(folder, "a:b.packed");
        execFileSync("tar", ["--force-local", flag, "-cf", archive, "-C", folder, ".env", "ü.txt"]);
        expect(await archiveMembers(archive)).toEqual([".env", "ü.txt"]);
        writeFileSync(archive, readFileSync(archive).subarray(0, 20));
        expect(await archiveMembers(archive)).toBe(null);
      },
    );

  test.each<readonly [string, Buffer]>([
    ["an empty file", Buffer.alloc(0)],
    ["text", Buffer.from("hello\n".repeat(500))],
    ["a gzip that is cut", gzipSync(Buffer.alloc(100_000, "x")).subarray(0, 60)],
    ["a gzip of text", gzipSync("hello")],
    ["a gzip that grows without end", gzipSync(Buffer.alloc(70 * 1024 * 1024))],
    ["a zip without its list", Buffer.from("PK\u0003\u0004abc")],
  ])("are not known of %s", async (_, bytes) => {
    const file = join(folder, "x");
    writeFileSync(file, bytes);
    expect(await archiveMembers(file)).toBe(null);
  });

  test("are not known where there is no file, or a folder", async () => {
    expect([await archiveMembers(join(folder, "none")), await archiveMembers(folder)]).toEqual([null, null]);
  });
});
