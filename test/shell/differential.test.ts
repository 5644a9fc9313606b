import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { globMatcher } from "../../src/paths/glob.ts";
import { analyse } from "../../src/shell/analyse.ts";
import { scripts } from "./generated-scripts.ts";
import { everyWrite } from "./generated-writes.ts";

/**
 * Generated scripts are run by the real bash, each in a folder of its own below the temp folder; every file
 * that changed must be among those that the analysis says are touched.
 */

const base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-differential-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** The full run is 5,200; every case starts several programs, so the usual run takes fewer. */
const cases = Number(process.env.DIFFERENTIAL_CASES ?? 400);
const perProcess = 200;

const start: Readonly<Record<string, string>> = {
  "a.txt": "text a\n",
  "b.txt": "text b\n",
  "c d.txt": "text c\n",
  ".env": "text env\n",
  "sub/x.txt": "text x\n",
  "sub/y z.txt": "text y\n",
};

test("every way to write is known by itself", { timeout: 300_000 }, () => {
  const { missed, changes } = compared(everyWrite);
  expect({ missed, manyChanges: changes > everyWrite.length }).toEqual({ missed: [], manyChanges: true });
});

test("bash writes nothing that the analysis does not know of", { timeout: 60_000 + cases * 1_000 }, () => {
  const { missed, changes } = compared(fc.sample(scripts, { numRuns: cases, seed: 20_26 }));
  expect({ missed: missed.slice(0, 20), manyChanges: changes > cases }).toEqual({
    missed: [],
    manyChanges: true,
  });
});

interface Missed {
  readonly script: string;
  readonly file: string;
}

/** Runs the scripts, and counts the files that changed and those that the analysis did not name. */
function compared(samples: readonly string[]): { missed: Missed[]; changes: number } {
  const missed: Missed[] = [];
  let changes = 0;
  for (let from = 0; from < samples.length; from += perProcess) {
    for (const { script, folder } of runBatch(samples.slice(from, from + perProcess))) {
      const seen = touchedIn(script, folder);
      const changed = changedIn(folder);
      changes += changed.length;
      missed.push(...changed.filter((file) => !seen(file)).map((file) => ({ script, file })));
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return { missed, changes };
}

/** Runs scripts one after another in one bash, each in a subshell and a fresh folder. */
function runBatch(batch: readonly string[]): { script: string; folder: string }[] {
  const runs = batch.map((script, at) => {
    const folder = mkdtempSync(join(base, `${at}-`));
    for (const name of ["sub", "out"]) mkdirSync(join(folder, name));
    for (const [name, text] of Object.entries(start)) writeFileSync(join(folder, name), text);
    writeFileSync(`${folder}.sh`, script);
    return { script, folder };
  });
  const driver = runs
    .map(({ folder }) => `(cd '${folder}' && . '${folder}.sh') >/dev/null 2>&1 </dev/null`)
    .join("\n");
  const done = spawnSync("bash", ["--norc", "--noprofile"], {
    input: driver,
    // A script whose `cd -` or `cd ..` goes astray must not end up in the checkout.
    cwd: base,
    timeout: 300_000,
    // The system's own programs first: version managers put slow stand-ins for interpreters on the path.
    env: { PATH: `/usr/bin:/bin:${process.env.PATH ?? ""}`, HOME: base, LC_ALL: "C" },
  });
  expect(done.error).toBe(undefined);
  return runs;
}

/** Files that were made, changed or removed, relative to the folder. */
function changedIn(folder: string): string[] {
  const now = new Map(listed(folder, ""));
  const changed = [...now].filter(([name, text]) => start[name] !== text).map(([name]) => name);
  return [...changed, ...Object.keys(start).filter((name) => !now.has(name))];
}

function listed(folder: string, below: string): [string, string][] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    const path = join(folder, name);
    if (entry.isDirectory()) return listed(folder, name);
    if (entry.isSymbolicLink()) return [[name, `link to ${readlinkSync(path)}`]];
    return [[name, readFileSync(path, "utf8")]];
  });
}

/** Does the analysis say that a file of the folder is touched? */
function touchedIn(script: string, folder: string): (file: string) => boolean {
  const { touches } = analyse(script, {
    root: folder,
    cwd: folder,
    home: base,
    tmp: [],
    platform: "linux",
    realpath: (path) => path,
  });
  const tests = touches
    .filter((touch) => touch.action !== "read")
    .map((touch) => {
      const exact = touch.glob
        ? globMatcher(touch.path.slice(1))
        : (path: string) => path === touch.path.slice(1);
      const tree = touch.glob
        ? globMatcher(`${touch.path.slice(1)}/**`)
        : (path: string) => path.startsWith(`${touch.path.slice(1)}/`);
      return (path: string) => exact(path) || (touch.tree && tree(path));
    });
  return (file) => tests.some((matches) => matches(join(folder, file).slice(1)));
}
