import { execFileSync, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

const env = { PATH: "/usr/bin:/bin" };
let place: Place;
beforeEach(async () => {
  place = makePlace();
  await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
});
afterEach(() => place.remove());

test.each(["status", "doctor"])("HOLDFAST=0 is the first thing %s says", async (command) => {
  const { code, stdout } = await holdfast(place, [command], { env: { ...env, HOLDFAST: "0" } });
  expect(code).toBe(1);
  expect(stdout.split("\n")[0]).toContain("HOLDFAST=0 is set in this environment: everything is off");
  const other = await holdfast(place, [command], { env: { ...env, HOLDFAST: "1" } });
  expect([other.code, other.stdout.includes("HOLDFAST=")]).toEqual([0, false]);
});

test("a clone with hooks and no launcher on this machine is in trouble, not guarded", async () => {
  rmSync(join(place.home, ".holdfast"), { recursive: true });
  const { code, stdout } = await holdfast(place, ["status"], { env });
  expect(code).toBe(1);
  expect(stdout).toMatch(/✕ +Claude Code +project +in trouble: HF105/);
  const { json } = await envelopeOf(place, ["status"], { env });
  const { agents } = json.data as { agents: { agent: string }[] };
  expect(agents.find(({ agent }) => agent === "claude-code")).toEqual({
    agent: "claude-code",
    title: "Claude Code",
    scopes: ["project"],
    present: false,
    light: "attention",
    troubles: ["HF105"],
    heard: "no event yet",
  });
});

test("the last stop is one of this project's", async () => {
  const other = join(place.home, "other");
  execFileSync("git", ["init", "-q", other]);
  const stop = (cwd: string, command: string) =>
    spawnSync(
      process.execPath,
      [join(process.cwd(), "dist/holdfast.cjs"), "hook", "claude-code", "pre-tool"],
      {
        cwd,
        env: { PATH: process.env.PATH, HOME: place.home },
        input: JSON.stringify({
          ...{ hook_event_name: "PreToolUse", session_id: "s", cwd },
          ...{ tool_name: "Bash", tool_input: { command } },
        }),
      },
    );
  const lines = async (cwd: string) =>
    (await holdfast(place, ["status"], { env, cwd })).stdout
      .split("\n")
      .filter((line) => /^last stop/.test(line));
  stop(other, "git push --force");
  const before = await lines(place.project);
  stop(place.project, "git push --mirror");
  stop(other, "git push --prune");
  expect([before, await lines(place.project), await lines(other)]).toEqual([
    [],
    [expect.stringContaining("git push --mirror  (git/force-push)")],
    [expect.stringContaining("git push --prune  (git/force-push)")],
  ]);
});
