// One command for everything that reads the code without running it: lint and format, types, generated files,
// unused code.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const bin = (name) => join(root, "node_modules", name);
const steps = [
  ["lint and format", [bin("@biomejs/biome/bin/biome"), "ci", "--error-on-warnings", "."]],
  ["types", [bin("typescript/bin/tsc"), "--noEmit", "-p", "."]],
  ["generated files", ["scripts/generate.mjs", "--check"]],
  ["unused code", [bin("knip/bin/knip.js")]],
];
const failed = steps.filter(([title, args]) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) console.error(`check failed: ${title}`);
  return status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
