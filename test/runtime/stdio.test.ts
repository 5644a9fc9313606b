import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program } from "./program.ts";

const dir = mkdtempSync(join(tmpdir(), "holdfast-stdio-"));
let script = "";
beforeAll(async () => {
  script = await program(
    dir,
    'import { readStdin } from "@/runtime/stdio.ts"; process.stdout.write(String(readStdin().length)); process.exit(0);',
  );
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** How many bytes it had read when it went on, and whether stdin had to be closed for that. */
function read(parts: readonly string[]): Promise<{ bytes: number; waited: boolean }> {
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"] });
  let out = "";
  let closed = false;
  child.stdout.on("data", (text: Buffer) => {
    out += text.toString();
  });
  child.stdin.on("error", () => undefined);
  const close = setTimeout(() => {
    closed = true;
    child.stdin.end();
  }, 3_000);
  void (async () => {
    for (const part of parts) {
      child.stdin.write(part);
      await new Promise((done) => setTimeout(done, 150));
    }
  })();
  return new Promise((done) => {
    child.on("close", () => {
      clearTimeout(close);
      done({ bytes: Number(out), waited: closed });
    });
  });
}

describe("what an agent sends on stdin", () => {
  it.each([
    ["one object", ['{"a":1}']],
    ["one object and a line end", ['{"a":1}\r\n']],
    ["an object in parts, one of which ends in a brace", ['{"a":{"b":1}', ',"c":"}', '"}']],
    ["a large object", [`{"a":"${"x}".repeat(150_000)}"}`]],
  ])("is answered while stdin stays open: %s", async (_, parts) => {
    expect(await read(parts)).toEqual({ bytes: parts.join("").length, waited: false });
  });

  it.each([
    ["no JSON", ["hello }"]],
    ["half an object", ['{"a":1']],
    ["nothing", []],
  ])("is waited for to its end: %s", async (_, parts) => {
    expect(await read(parts)).toEqual({ bytes: parts.join("").length, waited: true });
  });
});
