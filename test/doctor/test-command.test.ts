import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { programMissing } from "../../src/doctor/checks/test-command.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

const env = { PATH: "/usr/bin:/bin" };
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

function missing(command: string): string | null {
  const machine = { home: place.home, root: place.project, env, platform: "linux", gitHooks: null };
  return programMissing(command, machine)[0]?.message ?? null;
}

test.each([
  ["nosuchprog --x", "the test command starts with nosuchprog, which is not on PATH"],
  ["CI=1 nosuchprog", "the test command starts with nosuchprog, which is not on PATH"],
  ["./check.sh", "the test command starts with ./check.sh, which is not in the project"],
])("%s", (command, words) => {
  expect(missing(command)).toBe(words);
});

test.each([
  "sh -c x",
  "CI=1 env x",
  "cd a && b",
  "",
  "(a; b)",
  '"$RUNNER" x',
  "A=$(b) c",
  "./here.sh",
  "/bin/sh",
])("nothing is said of: %s", (command) => {
  writeFileSync(join(place.project, "here.sh"), "");
  expect(missing(command)).toBeNull();
});

test("HF320 install says it in a line, and doctor as a note; neither fails", async () => {
  const argv = ["install", "--yes", "--agent", "claude-code", "--test-command", "nosuchprog --x"];
  const message = "the test command starts with nosuchprog, which is not on PATH";
  const { code, stdout, stderr } = await holdfast(place, argv, { env });
  expect([code, `${stdout}${stderr}`.split("\n").filter((line) => line.includes(message)).length]).toEqual([
    0, 1,
  ]);
  const doctor = await envelopeOf(place, ["doctor"], { env });
  const found = (doctor.json.findings as { code: string }[]).filter((one) => one.code === "HF320");
  expect(doctor.code).toBe(0);
  expect(found).toMatchObject([{ severity: "info", message, file: join(place.project, "holdfast.yaml") }]);
});
