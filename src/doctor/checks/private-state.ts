import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../../core/problem.ts";
import type { Check } from "../check.ts";

/** The journal and the state hold commands and file names; they are nobody else's business. */
export const check: Check = {
  id: "private-state",
  words: "nobody else can read Holdfast's own files",
  find: ({ holdfastHome, machine }) =>
    machine.platform === "win32" ? [] : exposed(holdfastHome).map(finding),
  fix(_exam, { where }) {
    if (where.file === undefined) return null;
    const { mode } = statSync(where.file);
    chmodSync(where.file, mode & 0o700);
    return "closed to others";
  },
};

/** Launchers are run by agents that may be sandboxed as another user; they hold nothing private. */
const open = new Set(["bin"]);

/** The folder itself guards what is in it, so files are looked at only when the folder is open. */
function exposed(folder: string): string[] {
  const mode = modeOf(folder);
  if (mode === null || (mode & 0o077) === 0) return [];
  const inside = namesIn(folder).filter((name) => !open.has(name));
  const files = inside
    .map((name) => join(folder, name))
    .filter((path) => ((modeOf(path) ?? 0) & 0o077) !== 0);
  return (mode & 0o022) === 0 ? files : [folder, ...files];
}

function finding(file: string): Problem {
  const hint = `chmod go= '${file}'`;
  return problem("HF802", "others on this machine can read it", {
    severity: "warning",
    hint,
    where: { file },
    fixable: true,
  });
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
