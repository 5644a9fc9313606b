import { spawnSync } from "node:child_process";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

const env = { PATH: "/usr/bin:/bin" };
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

async function doctor(...argv: string[]) {
  const { code, json } = await envelopeOf(place, ["doctor", ...argv], { env });
  const found = json.findings as { code: string; severity: string; file: string | null; fixable: boolean }[];
  const errors = found.filter(({ severity }) => severity === "error");
  return {
    code,
    errors: errors.map((one) => [one.code, one.file, one.fixable]),
    fixed: (json.data as { fixed: string[] }).fixed,
  };
}

function commitEnv(): number | null {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
  const options = { cwd: place.project, env: { ...env, HOME: place.home } };
  writeFileSync(join(place.project, ".env"), "KEY=1\n");
  spawnSync("git", ["add", "--force", ".env"], options);
  return spawnSync("git", [...identity, "commit", "--quiet", "-m", "keys"], options).status;
}

test.each([
  ["git", ".git/hooks/pre-commit", 0o755],
  ["cline", ".clinerules/hooks/PreToolUse", 0o755],
])("HF108 a hook of %s that lost its executable bit; --fix gives it back", async (agent, name, mode) => {
  await holdfast(place, ["install", "--yes", "--agent", agent], { env });
  const file = join(place.project, name);
  chmodSync(file, 0o644);
  expect(await doctor()).toEqual({ code: 1, errors: [["HF108", file, true]], fixed: [] });
  expect((await holdfast(place, ["status"], { env })).code).toBe(1);
  expect(await doctor("--fix")).toEqual({ code: 0, errors: [], fixed: [`HF108 ${file}: executable again`] });
  expect(statSync(file).mode & 0o777).toBe(mode);
});

test("git passes over the hook without the bit, and stops the commit once it is mended", async () => {
  await holdfast(place, ["install", "--yes", "--agent", "git"], { env });
  chmodSync(join(place.project, ".git", "hooks", "pre-commit"), 0o644);
  await doctor("--fix");
  expect(commitEnv()).toBe(1);
});

test("HF106 a launcher that lost its executable bit; --fix gives it back", async () => {
  await holdfast(place, ["install", "--yes", "--agent", "git"], { env });
  const file = join(place.home, ".holdfast", "bin", "holdfast");
  chmodSync(file, 0o644);
  expect(await doctor()).toEqual({ code: 1, errors: [["HF106", file, true]], fixed: [] });
  expect(await doctor("--fix")).toEqual({ code: 0, errors: [], fixed: [`HF106 ${file}: executable again`] });
});
