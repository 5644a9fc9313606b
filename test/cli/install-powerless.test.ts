import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

const env = { PATH: "/usr/bin:/bin" };
const commented = '{\n  // mine\n  "model": "opus"\n}\n';
let place: Place;
const inProject = (...names: string[]) => join(place.project, ...names);

function put(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

describe("an install whose hooks cannot run is no success", () => {
  test.each([
    ["HF111", commented],
    ["HF203", '{ "disableAllHooks": true }\n'],
  ])("%s: exit 1, and the agent counts as not guarded", async (code, text) => {
    put(inProject(".claude", "settings.json"), text);
    const argv = ["install", "--yes", "--agent", "claude-code"];
    const told = await holdfast(place, argv, { env });
    expect(told.code).toBe(1);
    expect(told.stdout).toMatch(/Claude Code( +not guarded){3}\n/);
    expect(told.stdout).toContain("Not guarded: Claude Code, for the reason above.\n");
    const { code: exit, json } = await envelopeOf(place, argv, { env });
    const findings = json.findings as { code: string; agent: string }[];
    expect({ exit, ok: json.ok, found: findings.map((one) => [one.code, one.agent]) }).toEqual({
      exit: 1,
      ok: false,
      found: [[code, "claude-code"]],
    });
    expect(json.data).toMatchObject({ notInstalled: [], notGuarded: ["claude-code"] });
  });

  test("it is told as well when another agent is left out in the same run", async () => {
    put(inProject(".claude", "settings.json"), commented);
    put(inProject(".codex", "hooks.json"), "{ broken");
    const argv = ["install", "--yes", "--agent", "claude-code,codex"];
    const { code, json } = await envelopeOf(place, argv, { env });
    const findings = json.findings as { code: string; agent: string }[];
    expect([code, findings.map((one) => [one.code, one.agent])]).toEqual([
      1,
      [
        ["HF104", "codex"],
        ["HF111", "claude-code"],
      ],
    ]);
  });
});

describe("uninstall and a settings file that does not parse", () => {
  const broken = "{ broken";

  test("one in which nothing of ours ever stood is passed over", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
    const file = put(inProject(".codex", "hooks.json"), broken);
    const { code, stdout } = await holdfast(place, ["uninstall", "--yes"], { env });
    expect([code, stdout.includes("hooks.json")]).toEqual([0, false]);
    expect(readFileSync(file, "utf8")).toBe(broken);
    expect((await holdfast(place, ["uninstall", "--yes"], { env })).code).toBe(0);
  });

  test("one that mentions Holdfast is named, and it is a failure", async () => {
    put(inProject(".codex", "hooks.json"), `${broken} "holdfast hook codex pre-tool"`);
    const { code, stdout, stderr } = await holdfast(place, ["uninstall", "--yes"], { env });
    expect([code, (stdout + stderr).includes("hooks.json")]).toEqual([1, true]);
  });
});
