import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../setup/bundle.ts";

let home = "";
let temp = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "demo-home-"));
  temp = mkdtempSync(join(tmpdir(), "demo-temp-"));
});
afterAll(() => {
  for (const folder of [home, temp]) rmSync(folder, { recursive: true, force: true });
});

// It takes some seconds, on a busy machine many more.
describe("holdfast demo", { timeout: 300_000 }, () => {
  it("plays the whole story, says that it is a stand-in, points to prove, and leaves nothing behind", () => {
    const { status, stdout, stderr } = demo();
    expect([status, stderr]).toEqual([0, ""]);
    const lines = [
      "The stand-in is a small program, not a real agent",
      "$ holdfast install --yes",
      "the agent writes .env",
      "✓ refused: there is no .env",
      "✓ asks you first",
      "✓ goes through, and nothing is said",
      "✓ sent back to work, with the output",
      "expected 42 in answer.txt, found 41",
      "✓ the tests pass, so it may stop",
      "✓ every file is as before, byte for byte",
      "holdfast prove",
    ];
    const places = lines.map((line) => stdout.indexOf(line));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(stdout).not.toContain("✕");
    expect(stdout).not.toContain("\u001b[");
    expect([readdirSync(home), readdirSync(temp)]).toEqual([[], []]);
  });

  it("tells a machine the same", () => {
    const { status, stdout } = demo(["--json"]);
    const { data } = JSON.parse(stdout);
    expect(status).toBe(0);
    expect(data.parts.map(({ held }: { held: boolean }) => held)).toEqual(Array(8).fill(true));
    expect(data.parts[1].told).toMatch(/\.env is protected/);
  });

  it("shows what was not held when its own hook is damaged", () => {
    const damaged = join(temp, "damaged");
    cpSync(dirname(bundle()), damaged, { recursive: true });
    rmSync(join(damaged, "hook.cjs"));
    const { status, stdout } = demo([], join(damaged, "holdfast.cjs"));
    expect(status).toBe(1);
    expect(stdout).toContain("✕ not refused: it is in the file");
    expect(stdout).toContain("✕ not asked: the remote was overwritten");
    expect(stdout).toContain("✕ was not sent back");
    rmSync(damaged, { recursive: true });
  });
});

function demo(flags: readonly string[] = [], program = bundle()) {
  return spawnSync(process.execPath, [program, "demo", ...flags], {
    cwd: temp,
    env: { HOME: home, TMPDIR: temp, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
    encoding: "utf8",
  });
}
