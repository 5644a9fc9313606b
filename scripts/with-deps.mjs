// Runs one of the project's jobs from a fresh clone: installs the locked dependencies when they are missing
// or older than the lock, builds, then starts the job. Uses nothing but Node and npm.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const [job, ...rest] = process.argv.slice(2);
const node = process.execPath;

const jobs = {
  demo: [[node, "dist/holdfast.cjs", "demo", ...rest]],
  test: [[node, "node_modules/vitest/vitest.mjs", "run", ...rest]],
  lab: [[node, "lab/run.mjs", ...rest]],
  bench: [[node, "bench/run.mjs", ...rest]],
  "bench:guard": [[node, "bench/guard.mjs", ...rest]],
  size: [[node, "bench/size.mjs", ...rest]],
  score: [[node, "scripts/score.mjs", ...rest]],
};

const steps = jobs[job];
if (steps === undefined) {
  console.error(`unknown job: ${job}`);
  process.exit(64);
}
const marker = join(root, "node_modules/.package-lock.json");
const lock = join(root, "package-lock.json");
if (!existsSync(marker) || statSync(marker).mtimeMs < statSync(lock).mtimeMs) {
  run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]);
}
run([node, "scripts/build.mjs"]);
for (const step of steps) run(step);

function run([command, ...args]) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32" && command === "npm",
  });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
