import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

const env = { PATH: "/usr/bin:/bin" };
let place: Place;
let other: Place;
let hook: string;

/** Two repositories of one person that run hooks from the same folder. */
beforeEach(() => {
  place = makePlace();
  const project = join(dirname(place.project), "other");
  other = { ...place, project };
  execFileSync("git", ["init", "--quiet", project]);
  const hooks = join(place.home, "hooks");
  mkdirSync(hooks);
  hook = join(hooks, "pre-commit");
  for (const cwd of [place.project, project])
    execFileSync("git", ["config", "core.hooksPath", hooks], { cwd });
});
afterEach(() => place.remove());

const install = (at: Place, agents = "git") => holdfast(at, ["install", "--yes", "--agent", agents], { env });
const uninstall = (at: Place, ...more: string[]) => holdfast(at, ["uninstall", "--yes", ...more], { env });

describe("a hooks folder of several repositories", () => {
  test("a repository that did not install the hook does not take it out", async () => {
    await install(place);
    const before = readFileSync(hook, "utf8");
    const { code, stdout } = await uninstall(other);
    expect([code, stdout]).toEqual([
      0,
      `Holdfast is not installed here. Nothing to do.\nLeft  ~/hooks/pre-commit: ${place.project} put it there, and can uninstall it.\n`,
    ]);
    expect(readFileSync(hook, "utf8")).toBe(before);
    expect((await uninstall(place)).code).toBe(0);
    expect(existsSync(hook)).toBe(false);
  });

  test.each(["the first", "the second"])(
    "both installed it: %s leaves first, the last takes it out",
    async (who) => {
      writeFileSync(hook, "#!/bin/sh\necho mine\n", { mode: 0o755 });
      await install(place);
      await install(other);
      const [leaves, stays] = who === "the first" ? [place, other] : [other, place];
      const first = await uninstall(leaves);
      expect(first.stdout).toContain(`~/hooks/pre-commit: ${stays.project} still uses it\n`);
      expect(readFileSync(hook, "utf8")).toContain("holdfast managed file");
      expect(existsSync(join(leaves.project, "holdfast.yaml"))).toBe(false);
      expect(existsSync(join(stays.project, "holdfast.yaml"))).toBe(true);
      expect((await uninstall(leaves)).stdout).toContain("Holdfast is not installed here.");
      const last = await uninstall(stays);
      expect([last.code, readFileSync(hook, "utf8")]).toEqual([0, "#!/bin/sh\necho mine\n"]);
      expect(existsSync(join(stays.project, "holdfast.yaml"))).toBe(false);
      expect(existsSync(join(place.home, ".holdfast", "bin"))).toBe(false);
    },
  );

  test("an agent that leaves takes the manifest only when the shared hook is not there for this repository", async () => {
    await install(place, "git");
    await install(other, "claude-code,git");
    await uninstall(other, "--agent", "claude-code");
    expect(existsSync(join(other.project, "holdfast.yaml"))).toBe(true);
    await uninstall(other, "--agent", "git");
    expect(existsSync(join(other.project, "holdfast.yaml"))).toBe(false);
    expect(existsSync(hook)).toBe(true);
  });

  test("a repository that is gone holds nothing back", async () => {
    await install(place);
    await install(other);
    rmSync(other.project, { recursive: true });
    await uninstall(place);
    expect(existsSync(hook)).toBe(false);
  });

  test("the last that wanted it is gone: doctor says so, and any other takes it out", async () => {
    writeFileSync(hook, "#!/bin/sh\necho mine\n", { mode: 0o755 });
    await install(place);
    await install(other);
    await uninstall(place);
    rmSync(other.project, { recursive: true });
    const { json } = await envelopeOf(place, ["doctor", "--agent", "git"], { env });
    const found = (json.findings as { code: string; severity: string; file: string }[]).filter(
      ({ code }) => code === "HF607",
    );
    expect(found).toMatchObject([{ severity: "info", file: hook }]);
    const { code, stdout } = await uninstall(place);
    expect([code, stdout.includes("can uninstall it")]).toEqual([0, false]);
    expect(readFileSync(hook, "utf8")).toBe("#!/bin/sh\necho mine\n");
  });

  test("one that is gone speaks only through a repository that uses the folder", async () => {
    await install(other);
    rmSync(other.project, { recursive: true });
    execFileSync("git", ["config", "--unset", "core.hooksPath"], { cwd: place.project });
    await uninstall(place);
    expect(existsSync(hook)).toBe(true);
  });
});
