import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/prove/process.ts";
import { alive } from "./alive.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "prove-process-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = (more: object = {}) => ({
  cwd: folder,
  env: { PATH: "/usr/bin:/bin" },
  timeoutMs: 30_000,
  ...more,
});

describe("a program in a process group of its own", () => {
  it("gives back its exit code and both streams, and its lines as they come", async () => {
    const lines: string[] = [];
    const argv = ["/bin/sh", "-c", "cat; echo one >&2; echo two >&2; exit 3"];
    const ran = await run(argv, options({ input: "in", onLine: (line: string) => lines.push(line) }));
    expect({ ...ran, ms: 0 }).toEqual({
      exitCode: 3,
      timedOut: false,
      stdout: "in",
      stderr: "one\ntwo\n",
      ms: 0,
      cause: "",
    });
    expect(lines).toEqual(["one", "two"]);
  });

  it("has only the environment it was given", async () => {
    const ran = await run(["/usr/bin/env"], options({ env: { ONLY: "this" } }));
    expect(ran.stdout).toBe("ONLY=this\n");
  });

  it("ends with everything it started when its time is up", async () => {
    const script = `sleep 300 & echo $! > ${folder}/late; wait`;
    const ran = await run(["/bin/sh", "-c", script], options({ timeoutMs: 500 }));
    expect([ran.timedOut, ran.exitCode]).toEqual([true, null]);
    expect(await gone("late")).toBe(true);
  });

  it("does not wait for what it left in the background, and ends it", async () => {
    const script = `sleep 300 & echo $! > ${folder}/left; echo done`;
    const ran = await run(["/bin/sh", "-c", script], options());
    expect([ran.exitCode, ran.stdout, ran.timedOut]).toEqual([0, "done\n", false]);
    expect(await gone("left")).toBe(true);
  });

  it("says why a program could not be started", async () => {
    const ran = await run([join(folder, "nothing-here")], options());
    expect([ran.exitCode, ran.cause]).toEqual([null, expect.stringContaining("ENOENT")]);
  });

  it("keeps the end of a long output", async () => {
    const ran = await run(["/bin/sh", "-c", "yes | head -c 2000000; echo end"], options());
    expect(ran.stdout.length).toBeLessThanOrEqual(256 * 1024);
    expect(ran.stdout.endsWith("end\n")).toBe(true);
  });
});

/** Waits until the process whose id is in the file is gone; a killed one stays a zombie for a moment. */
async function gone(name: string): Promise<boolean> {
  const pid = Number(readFileSync(join(folder, name), "utf8"));
  for (let tries = 0; tries < 200; tries++) {
    if (!alive(pid)) return true;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return false;
}
