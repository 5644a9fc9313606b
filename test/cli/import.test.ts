import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const toml =
  '[agents]\nenabled = ["codex", "git"]\nscope = "project"\n[tests]\ncommand = "make check"\nretries = 1\n';
const target = () => join(place.project, "holdfast.yaml");
const source = () => writeFileSync(join(place.project, ".reflex.toml"), toml);

test("writes holdfast.yaml beside it, says what was left out and what to type next", async () => {
  source();
  const { code, stdout, stderr } = await holdfast(place, ["import", "--yes"]);
  expect(code).toBe(0);
  expect(stderr).toContain('! HF310  .reflex.toml  unknown key "tests.retries" is left out');
  expect(stdout).toContain("+  command: make check");
  expect(stdout).toContain("Next: holdfast install --agent codex,git --scope project");
  expect(readFileSync(target(), "utf8")).toContain("\n  command: make check ");
  expect(readFileSync(join(place.project, ".reflex.toml"), "utf8")).toBe(toml);
});

test("a second time there is nothing to do", async () => {
  source();
  await holdfast(place, ["import", "--yes"]);
  const { code, stdout } = await holdfast(place, ["import", "--yes"]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "holdfast.yaml says the same already. Nothing to do.\n",
  });
});

test("an existing manifest keeps its comments", async () => {
  source();
  writeFileSync(target(), "# ours\ntests:\n  command: npm test # fast\n");
  await holdfast(place, ["import", "--yes"]);
  expect(readFileSync(target(), "utf8")).toBe("# ours\ntests:\n  command: make check # fast\n");
});

test("without a person to ask and without --yes nothing is written", async () => {
  source();
  const { code, json } = await envelopeOf(place, ["import"]);
  expect(code).toBe(1);
  expect(json).toMatchObject({
    ok: false,
    data: { to: target() },
    findings: [{ code: "HF310" }, { code: "HF008" }],
  });
  expect(existsSync(target())).toBe(false);
});

test("a person who says no stops it", async () => {
  source();
  const { code, asked } = await holdfast(place, ["import"], { answers: { Write: false } });
  expect({ code, asked }).toEqual({ code: 130, asked: ["Write holdfast.yaml? false"] });
  expect(existsSync(target())).toBe(false);
});

test("--dry-run writes nothing", async () => {
  source();
  expect((await holdfast(place, ["import", "--dry-run"])).code).toBe(0);
  expect(existsSync(target())).toBe(false);
});

test("nothing to import, or nothing that parses, ends with 3 and the place", async () => {
  expect(await holdfast(place, ["import"])).toMatchObject({ code: 3, stdout: "" });
  writeFileSync(join(place.project, ".reflex.toml"), "[tests\n");
  const { code, stderr } = await holdfast(place, ["import", "--yes"]);
  expect(code).toBe(3);
  expect(stderr).toContain("✕ HF301  .reflex.toml:1:");
});
