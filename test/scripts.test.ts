import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

function start(script: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe.each([
  ["lab/run.mjs", 1],
  ["bench/run.mjs", 1],
  ["bench/everyday.mjs", 1],
  ["bench/guard.mjs", 1],
  ["scripts/score.mjs", 1],
  ["scripts/new-agent.mjs", 64],
])("%s", (script, refusal) => {
  it("prints its usage when it is asked for help", () => {
    const { status, stdout, stderr } = start(script, "--help");
    expect({ status, usage: stdout.startsWith("usage: "), stderr }).toEqual({
      status: 0,
      usage: true,
      stderr: "",
    });
  });

  it("names an option that it does not know, and prints its usage", () => {
    const { status, stdout, stderr } = start(script, "--no-such-option");
    expect({ status, stdout }).toEqual({ status: refusal, stdout: "" });
    expect(stderr).toMatch(/^Unknown option '--no-such-option'.*\nusage: /);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });
});
