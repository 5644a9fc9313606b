import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { agents, lab } from "./agents.mjs";

/**
 * The node_modules folder of the pinned agents, filled if it is not yet; null when that fails. The lock names
 * every version, so that npm cannot pick an older agent to suit the Node it runs on; install scripts are off,
 * since the programs come as packages.
 */
export function installed() {
  const lock = readFileSync(join(lab, "package-lock.json"));
  const key = createHash("sha256").update(lock).digest("hex").slice(0, 12);
  const folder = join(cacheFolder(), key);
  const modules = join(folder, "node_modules");
  const complete = join(folder, "complete");
  if (existsSync(complete)) return modules;
  console.error(`Installing the agents into ${folder} (about 3 GB, once)`);
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(lab, name), join(folder, name));
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] });
  if (status !== 0) return null;
  unpackGrok(join(modules, agents.grok.package, agents.grok.program));
  writeFileSync(complete, "");
  return modules;
}

/** Outside the checkout, so that a fresh clone on the same machine need not fetch the agents again. */
function cacheFolder() {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return process.env.HOLDFAST_LAB_CACHE || join(caches, "holdfast-lab");
}

/** Grok's package holds its program packed; its install script, which is not run, would unpack it. */
function unpackGrok(program) {
  writeFileSync(program, brotliDecompressSync(readFileSync(`${program}.br`)), { mode: 0o755 });
}
