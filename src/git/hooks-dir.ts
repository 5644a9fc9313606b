import { isAbsolute, relative, resolve, sep } from "node:path";
import { realPath } from "../runtime/files.ts";
import { type Asking, askLine } from "./ask.ts";

export interface HooksDir {
  /** Directory git runs hooks from, absolute. It need not exist yet. */
  readonly dir: string;
  /** Part of the working tree, so that a change there reaches everyone who clones. */
  readonly insideTree: boolean;
  /** The value of `core.hooksPath`, from whatever level; null when unset. */
  readonly hooksPath: string | null;
}

/** Where git looks for hooks in this working tree; null outside a repository, or when git does not answer. */
export async function gitHooksDir(asking: Asking): Promise<HooksDir | null> {
  const [hooks, common, hooksPath] = await Promise.all([
    askLine(asking, ["rev-parse", "--git-path", "hooks"]),
    askLine(asking, ["rev-parse", "--git-common-dir"]),
    askLine(asking, ["config", "--type=path", "--get", "core.hooksPath"]),
  ]);
  if (hooks === null || common === null) return null;
  const dir = resolve(asking.cwd, hooks);
  const gitDir = resolve(asking.cwd, common);
  return { dir, insideTree: isBelow(dir, asking.cwd) && !isBelow(dir, gitDir), hooksPath };
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
