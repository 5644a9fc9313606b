import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const program = process.env.HOLDFAST_PROGRAM ?? join(process.cwd(), "dist/holdfast.cjs");

let home = "";
let project = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "holdfast-cache-"));
  project = join(home, "app");
  mkdirSync(join(project, ".git"), { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = () => join(home, ".holdfast/cache");

/** The cache of the first bundle: its code in bytes, and how often it was saved. */
function cache() {
  const [file = ""] = readdirSync(folder()).filter((name) => name.endsWith(".bin"));
  const bytes = readFileSync(join(folder(), file));
  return { file: join(folder(), file), code: bytes.length - 1, saves: bytes.at(-1) ?? 0 };
}

function hook(event: "session-start" | "pre-tool") {
  const input =
    event === "pre-tool"
      ? { hook_event_name: "PreToolUse", tool_name: "Write", tool_input: { file_path: ".env", content: "A" } }
      : { hook_event_name: "SessionStart", source: "startup" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "hook", "claude-code", event], {
    input: JSON.stringify({ session_id: "s", cwd: project, ...input }),
    env: { PATH: process.env.PATH, HOME: home },
    encoding: "utf8",
  });
  return { status, stderr, refused: stdout.includes('"deny"') };
}

const refusal = { status: 0, stderr: "", refused: true };

describe.skipIf(process.platform === "win32")("V8's code cache of the hook", () => {
  test("takes in what the second call runs, and then ever more rarely", () => {
    hook("session-start");
    const first = cache();
    expect(hook("pre-tool")).toEqual(refusal);
    const second = cache();
    expect([first.saves, second.saves]).toEqual([1, 2]);
    expect(second.code).toBeGreaterThan(first.code * 1.2);

    const bytes = readFileSync(second.file);
    bytes[bytes.length - 1] = 10;
    writeFileSync(second.file, bytes);
    for (let call = 0; call < 4; call++) expect(hook("pre-tool")).toEqual(refusal);
    expect(readFileSync(second.file)).toEqual(bytes);
  });

  test.each<readonly [string, (good: Buffer) => Buffer]>([
    ["empty", () => Buffer.alloc(0)],
    ["cut", (good) => good.subarray(0, 5000)],
    ["of another program", () => Buffer.alloc(300_000, "x")],
    ["without its count", (good) => good.subarray(0, -1)],
  ])("that is %s is made anew", (_, damage) => {
    hook("pre-tool");
    const { file } = cache();
    writeFileSync(file, damage(readFileSync(file)));
    expect(hook("pre-tool")).toEqual(refusal);
    expect(cache().saves).toBe(1);
  });

  test("is not used where others can write", () => {
    hook("pre-tool");
    chmodSync(folder(), 0o777);
    writeFileSync(cache().file, "x");
    expect(hook("pre-tool")).toEqual(refusal);
    expect(readFileSync(cache().file, "utf8")).toBe("x");
  });
});
