import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

let place: Place;
/** The number of a process that is gone. */
let dead: number;
const inProject = (...names: string[]) => join(place.project, ...names);
const inHome = (...names: string[]) => join(place.home, ".holdfast", ...names);
const run = async (...argv: string[]) => {
  const { code, stderr } = await holdfast(place, argv);
  expect([code, stderr]).toEqual([0, ""]);
};
const install = () => run("install", "--yes", "--agent", "opencode");
const uninstall = () => run("uninstall", "--yes");

beforeEach(() => {
  place = makePlace();
  dead = spawnSync(process.execPath, ["--version"]).pid;
});
afterEach(() => place.remove());

describe("temp files of an install that was killed", () => {
  const plugins = () => inProject(".opencode", "plugins");
  const leave = () => {
    mkdirSync(plugins(), { recursive: true });
    const left = [
      join(plugins(), `.holdfast.js.${dead}.holdfast-tmp`),
      inHome("bin", `.holdfast.${dead}-0.tmp`),
    ];
    mkdirSync(inHome("bin"), { recursive: true });
    for (const file of left) writeFileSync(file, "half");
    return left;
  };
  const there = (files: readonly string[]) => files.map((file) => existsSync(file));

  test("go with the next install, and with the next uninstall", async () => {
    const left = leave();
    await install();
    expect(there(left)).toEqual([false, false]);
    leave();
    await uninstall();
    expect(there(left)).toEqual([false, false]);
    expect(readdirSync(plugins())).toEqual([]);
  });

  test("go with an uninstall where nothing is installed, and not with its dry run", async () => {
    const left = leave();
    await run("uninstall", "--dry-run");
    expect(there(left)).toEqual([true, true]);
    await uninstall();
    expect(there(left)).toEqual([false, false]);
  });

  test("HF130 are told by doctor, and removed with --fix", async () => {
    await install();
    const left = leave();
    const told = async (...argv: string[]) => {
      const { json } = await envelopeOf(place, ["doctor", ...argv]);
      const findings = json.findings as { code: string; file: string; fixable: boolean }[];
      return findings.filter(({ code }) => code === "HF130").map(({ file }) => file);
    };
    expect((await told()).sort()).toEqual([...left].sort());
    expect(await told("--fix")).toEqual([]);
    expect(there(left)).toEqual([false, false]);
  });

  test("stay when the process still runs, the name is another, or it is no file", async () => {
    mkdirSync(plugins(), { recursive: true });
    const names = [
      `.holdfast.js.${process.ppid}.holdfast-tmp`,
      `.other.js.${dead}.holdfast-tmp`,
      `.holdfast.js.${dead}.holdfast-tmp.txt`,
      `holdfast.js.${dead}.holdfast-tmp`,
      ".holdfast.js.007.holdfast-tmp",
    ];
    for (const name of names) writeFileSync(join(plugins(), name), "mine");
    mkdirSync(join(plugins(), `.holdfast.js.${dead}9999.holdfast-tmp`));
    await install();
    expect(readdirSync(plugins()).sort()).toEqual(
      [...names, `.holdfast.js.${dead}9999.holdfast-tmp`, "holdfast.js"].sort(),
    );
  });
});

test("folders that a killed install made go, too", async () => {
  const before = () => readdirSync(place.project).filter((name) => name !== ".git");
  const killed = async () => {
    await install();
    const file = inHome("ledger.json");
    const ledger = JSON.parse(readFileSync(file, "utf8"));
    for (const entry of ledger.files) entry.unfinished = true;
    writeFileSync(file, JSON.stringify(ledger));
    rmSync(inProject(".opencode", "plugins", "holdfast.js"));
  };
  await killed();
  await uninstall();
  expect(before()).toEqual([]);
  await killed();
  await install();
  expect(JSON.parse(readFileSync(inHome("ledger.json"), "utf8")).files[0]).not.toHaveProperty("unfinished");
  await uninstall();
  expect(before()).toEqual([]);
});

test("an install that is killed while it writes can be taken out to the last folder", async () => {
  const program = join(process.cwd(), "dist/holdfast.cjs");
  mkdirSync(inProject(".github"));
  for (let spin = 0; spin < 4; spin++) {
    const args = [program, "install", "--yes", "--agent", "opencode,claude-code,copilot"];
    const env = { PATH: process.env.PATH, HOME: place.home };
    const child = spawn(process.execPath, args, { cwd: place.project, env, stdio: "ignore" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    while (!existsSync(inHome("ledger.json")) && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 1));
    for (const end = performance.now() + spin * 3; performance.now() < end; );
    child.kill("SIGKILL");
    await ended;
    await run("uninstall", "--yes", "--purge-state");
    expect(readdirSync(place.project).sort()).toEqual([".git", ".github"]);
    expect(readdirSync(inProject(".github"))).toEqual([]);
  }
});

describe("a folder that was there before stays when all is taken out", () => {
  const folders = () => readdirSync(place.project).filter((name) => name !== ".git");

  test("empty, and made before the first install", async () => {
    mkdirSync(inProject(".opencode"));
    await install();
    await uninstall();
    expect(folders()).toEqual([".opencode"]);
  });

  test("made anew by the person after ours was deleted, before the next install", async () => {
    await install();
    rmSync(inProject(".opencode"), { recursive: true });
    mkdirSync(inProject(".opencode"));
    await install();
    await uninstall();
    expect(folders()).toEqual([".opencode"]);
    expect(readdirSync(inProject(".opencode"))).toEqual([]);
  });

  test("made anew by the person after ours was deleted, with no install since", async () => {
    await install();
    rmSync(inProject(".opencode"), { recursive: true });
    mkdirSync(inProject(".opencode"));
    await uninstall();
    expect(folders()).toEqual([".opencode"]);
  });

  test("while one that an install made goes", async () => {
    await install();
    await uninstall();
    expect(folders()).toEqual([]);
  });
});
