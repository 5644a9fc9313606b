import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/prove/process.ts";
import { findProgram, foldersOf } from "../../src/prove/program.ts";
import { changes, snapshot } from "../../src/prove/snapshot.ts";
import { buildTheatre, removeStages, type Theatre, testComplaint } from "../../src/prove/stage.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "prove-stage-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const build = () =>
  buildTheatre({
    under: folder,
    holdfast: [process.execPath, "-e", "console.log(process.argv.slice(1).join('|'))", "--"],
    programs: [dirname(process.execPath)],
    user: "someone",
  });

describe("the stage", () => {
  it("holds nothing of the person's environment", async () => {
    const theatre = await build();
    const seen = await inStage(theatre, "env | sort");
    const names = seen.stdout.split("\n").map((line) => line.split("=")[0]);
    expect(names).toEqual(
      expect.arrayContaining(["HOME", "LANG", "PATH", "SHELL", "TERM", "TMPDIR", "USER"]),
    );
    expect(names.filter((name) => name && !stageVariables.includes(name))).toEqual([]);
    expect(seen.stdout).toContain(`HOME=${theatre.home}\n`);
    theatre.remove();
    expect(existsSync(theatre.root)).toBe(false);
  });

  it("has Holdfast on its PATH, with every argument as it was given", async () => {
    const theatre = await build();
    const ran = await inStage(theatre, "holdfast a 'b c' \"d'e\"");
    expect(ran.stdout).toBe("a|b c|d'e\n");
    theatre.remove();
  });

  it("has a remote that only a forced push can reach", async () => {
    const theatre = await build();
    const plain = await inStage(theatre, "git push origin main");
    expect([plain.exitCode, subject(theatre)]).toEqual([1, "first"]);
    const forced = await inStage(theatre, "git push --force origin main");
    expect([forced.exitCode, subject(theatre)]).toEqual([0, "rewritten"]);
    theatre.remove();
  });

  it("has tests that pass until answer.txt is wrong", async () => {
    const theatre = await build();
    expect((await inStage(theatre, "sh check.sh")).exitCode).toBe(0);
    const wrong = await inStage(theatre, "echo 41 > answer.txt; sh check.sh");
    expect([wrong.exitCode, wrong.stdout]).toEqual([1, `${testComplaint} 41\n`]);
    expect((await inStage(theatre, "echo 42 > answer.txt; sh check.sh")).exitCode).toBe(0);
    theatre.remove();
  });

  it("is removed when the person interrupts", async () => {
    const theatres = [await build(), await build()];
    removeStages();
    expect(theatres.map(({ root }) => existsSync(root))).toEqual([false, false]);
  });
});

describe("a snapshot", () => {
  it("notices content, mode, links, new and missing files, and nothing in skipped folders", () => {
    const root = join(folder, "snapshot");
    mkdirSync(join(root, "sub"), { recursive: true });
    mkdirSync(join(root, "skipped"));
    for (const name of ["same", "content", "mode", "gone", "sub/deep", "skipped/x"]) {
      writeFileSync(join(root, name), name);
    }
    symlinkSync("same", join(root, "link"));
    const before = snapshot(root, ["skipped"]);
    expect(changes(before, snapshot(root, ["skipped"]))).toEqual([]);

    writeFileSync(join(root, "content"), "CONTENT");
    chmodSync(join(root, "mode"), 0o700);
    rmSync(join(root, "gone"));
    writeFileSync(join(root, "sub/new"), "");
    rmSync(join(root, "link"));
    symlinkSync("content", join(root, "link"));
    writeFileSync(join(root, "skipped/x"), "y");
    expect(changes(before, snapshot(root, ["skipped"]))).toEqual([
      "content",
      "gone",
      "link",
      "mode",
      "sub/new",
    ]);
  });
});

describe("finding a program", () => {
  it("takes the first one that can be run, and knows where a link leads", () => {
    const [one, two] = [join(folder, "one"), join(folder, "two")];
    for (const place of [one, two]) mkdirSync(place);
    writeFileSync(join(one, "agent"), "not executable");
    writeFileSync(join(two, "real"), "#!/bin/sh\n", { mode: 0o755 });
    symlinkSync(join(two, "real"), join(folder, "agent"));
    const path = ["relative", one, folder, two].join(":");
    expect([
      findProgram("agent", path),
      findProgram("nothing", path),
      findProgram("agent", undefined),
    ]).toEqual([join(folder, "agent"), null, null]);
    expect(foldersOf(join(folder, "agent"))).toEqual([folder, two]);
  });
});

const stageVariables = [
  "HOME",
  "LANG",
  "PATH",
  "PWD",
  "SHELL",
  "SHLVL",
  "TERM",
  "TMPDIR",
  "USER",
  "_",
  "OLDPWD",
];

function inStage(theatre: Theatre, command: string) {
  return run(["/bin/sh", "-c", command], { cwd: theatre.project, env: theatre.env, timeoutMs: 30_000 });
}

function subject({ remote }: Theatre): string {
  return execFileSync("git", ["--git-dir", remote, "log", "-1", "--format=%s", "main"]).toString().trim();
}
