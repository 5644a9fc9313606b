import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readText } from "../runtime/files.ts";
import { findProject } from "./project.ts";

/**
 * The other working trees of a project's repository: the main one and those of `git worktree add`, wherever they
 * lie. Absolute paths as git wrote them down (gitrepository-layout(5)); none where there is no repository.
 */
export function worktreesOf(root: string, home: string): string[] {
  const common = findProject(root, null, home)?.commonDir ?? null;
  if (common === null) return [];
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  const linked = namesIn(join(common, "worktrees")).flatMap((name) => {
    const dotGit = readText(join(common, "worktrees", name, "gitdir"))?.trim() ?? "";
    return dotGit === "" ? [] : [dirname(dotGit)];
  });
  return [...main, ...linked].filter((tree) => tree !== root);
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    // Most repositories have no linked working trees.
    return [];
  }
}
