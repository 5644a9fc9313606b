import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { temporaryFolder } from "../runtime/environment.ts";
import { type Asking, ask, askLine } from "./ask.ts";
import { cleanFingerprint } from "./fingerprint.ts";
import type { Status } from "./status.ts";

/** The fingerprint once the index is committed; null when git does not say. */
export function fingerprintOfIndex(asking: Asking): Promise<string | null> {
  return onCopy(asking, (copy) => askLine(copy, ["write-tree"]));
}

/**
 * The fingerprint once all that is there is committed, untracked files as well; null when git does not say, or
 * when there is so much that telling would take long. What git has to write for it goes into a temporary
 * folder, not into the repository.
 */
export async function fingerprintOfAll(asking: Asking, now: Status): Promise<string | null> {
  const paths = now.entries.map(({ name }) => Buffer.concat([Buffer.from(`${asking.cwd}/`), name]));
  if (paths.length > mostFiles || sizeOf(paths) > mostBytes) return null;
  const objects = await askLine(asking, ["rev-parse", "--git-path", "objects"]);
  if (objects === null) return null;
  return onCopy(asking, async (copy, dir) => {
    const ours = join(dir, "objects");
    mkdirSync(ours);
    const env = {
      ...copy.env,
      GIT_OBJECT_DIRECTORY: ours,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(resolve(asking.cwd, objects)),
    };
    const added = await ask({ ...copy, env }, ["add", "-A", "--", ".", ":(exclude).holdfast"]);
    return added.ok ? askLine({ ...copy, env }, ["write-tree"]) : null;
  });
}

const mostFiles = 5_000;
const mostBytes = 64 * 1024 * 1024;

/** Asked on a copy of the index: git may rewrite the one it works on. */
async function onCopy(
  asking: Asking,
  treeOf: (copy: Asking, dir: string) => Promise<string | null>,
): Promise<string | null> {
  const index = asking.env.GIT_INDEX_FILE ?? (await askLine(asking, ["rev-parse", "--git-path", "index"]));
  if (index === null) return null;
  const dir = mkdtempSync(join(temporaryFolder(process.env), "holdfast-index-"));
  try {
    const copy = join(dir, "index");
    const original = resolve(asking.cwd, index);
    // Before the first `git add` there is none.
    if (existsSync(original)) copyAsOld(original, copy);
    const tree = await treeOf({ ...asking, env: { ...asking.env, GIT_INDEX_FILE: copy } }, dir);
    return tree === null ? null : cleanFingerprint(tree);
  } catch {
    return null;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** With its time: a file as new as the index is looked into, whatever size and time say (racy-git(7)). */
function copyAsOld(from: string, to: string): void {
  copyFileSync(from, to);
  const { atime, mtime } = statSync(from);
  utimesSync(to, atime, mtime);
}

function sizeOf(paths: readonly Buffer[]): number {
  try {
    return paths.reduce((sum, path) => sum + (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
