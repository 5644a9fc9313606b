import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** The project an agent works in, as far as the file system tells. */
export interface Project {
  /** Working tree root, or the folder of the manifest or package file outside a repository. Absolute. */
  readonly root: string;
  readonly kind: "repository" | "worktree" | "submodule" | "folder";
  /** This working tree's git directory; null outside a repository, or when its `.git` file leads nowhere. */
  readonly gitDir: string | null;
  /** What all worktrees share: hooks, config, refs. */
  readonly commonDir: string | null;
}

/**
 * Finds the project for a working directory without starting git. The directory may be deleted, inside
 * `.git`, or null; `hint` is where the agent itself says it was started, and its repository wins over another one
 * the agent has moved to. When the agent was started above the root, the only repository directly below counts.
 * The home folder and `/` are projects only for an agent that runs exactly there, so that a repository for dotfiles
 * does not claim everything.
 */
export function findProject(cwd: string | null, hint: string | null, home: string): Project | null {
  const [own, hinted] = [startOf(cwd), startOf(hint)].map((start) =>
    start === null ? null : upwards(start, home, repositoryAt),
  );
  // A repository the agent stepped into, be it a submodule, a clone or a stranger's, does not take over from where
  // the agent was started; another working tree of the same repository is where its work is.
  if (own && hinted && !isSameRepository(own, hinted)) return hinted;
  const starts = [startOf(cwd), startOf(hint)].filter((start) => start !== null);
  return (
    own ??
    hinted ??
    first(starts, (start) => upwards(start, home, (dir) => folderAt(dir, home))) ??
    first(starts, (start) => onlyRepositoryBelow(start, home))
  );
}

function isSameRepository(one: Project, other: Project): boolean {
  return one.commonDir !== null && one.commonDir === other.commonDir;
}

function startOf(dir: string | null): string | null {
  return dir === null || dir === "" || dir.length > longestPath ? null : resolve(dir);
}

/** PATH_MAX of Linux, the longest of them; each folder of a longer name would be looked at in vain. */
const longestPath = 4096;

/** Files that make a folder outside any repository a project. */
const projectFiles = [
  "holdfast.yaml",
  "holdfast.yml",
  "package.json",
  "Cargo.toml",
  "pyproject.toml",
  "go.mod",
  "deno.json",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "mix.exs",
  "composer.json",
  "Gemfile",
  "Package.swift",
  "CMakeLists.txt",
  "Makefile",
];
/** Entries looked at when searching below; a folder with more is a collection, not a place above a project. */
const mostBelow = 500;

function first(starts: readonly string[], find: (start: string) => Project | null): Project | null {
  for (const start of starts) {
    const found = find(start);
    if (found !== null) return found;
  }
  return null;
}

function upwards(start: string, home: string, at: (dir: string) => Project | "stop" | null): Project | null {
  for (let dir = start; ; dir = dirname(dir)) {
    const found = claimsAll(dir, home) && dir !== start ? null : at(dir);
    if (found === "stop") return null;
    if (found !== null) return found;
    if (dir === dirname(dir)) return null;
  }
}

function claimsAll(dir: string, home: string): boolean {
  return dir === home || dir === dirname(dir);
}

function repositoryAt(dir: string): Project | "stop" | null {
  if (basename(dir) === ".git") return null;
  const dotGit = join(dir, ".git");
  const kind = kindOf(dotGit);
  if (kind === "dir") return isGitDir(dotGit) ? repository(dir, dotGit, "repository") : null;
  if (kind === "file") return linked(dir, dotGit);
  // A bare repository has no files to guard or test, and what lies around it is not its project.
  return isGitDir(dir) ? "stop" : null;
}

/** A `.git` file names the real git directory: a linked worktree's or a submodule's (gitrepository-layout(5)). */
function linked(dir: string, dotGit: string): Project | null {
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(textOf(dotGit))?.[1];
  if (target === undefined) return null;
  const gitDir = resolve(dir, target);
  if (kindOf(gitDir) !== "dir") return { root: dir, kind: "worktree", gitDir: null, commonDir: null };
  const isWorktree = kindOf(join(gitDir, "commondir")) === "file";
  return repository(dir, gitDir, isWorktree ? "worktree" : "submodule");
}

function repository(root: string, gitDir: string, kind: Project["kind"]): Project {
  const common = textOf(join(gitDir, "commondir")).trim();
  return { root, kind, gitDir, commonDir: common === "" ? gitDir : resolve(gitDir, common) };
}

/** Never a folder that others can write to: the package file a stranger left in `/tmp` names commands to run. */
function folderAt(dir: string, home: string): Project | "stop" | null {
  if (claimsAll(dir, home)) return "stop";
  const mode = modeOf(dir);
  if (mode === null) return null;
  if ((mode & 0o002) !== 0) return "stop";
  const isProject = projectFiles.some((name) => kindOf(join(dir, name)) === "file");
  return isProject ? { root: dir, kind: "folder", gitDir: null, commonDir: null } : null;
}

function onlyRepositoryBelow(start: string, home: string): Project | null {
  if (claimsAll(start, home)) return null;
  const names = namesIn(start);
  if (names.length > mostBelow) return null;
  const found = names.flatMap((name) => {
    const project = repositoryAt(join(start, name));
    return project === null || project === "stop" ? [] : [project];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** What git itself asks of a git directory. */
function isGitDir(dir: string): boolean {
  const shared = textOf(join(dir, "commondir")).trim();
  const common = shared === "" ? dir : resolve(dir, shared);
  return (
    kindOf(join(dir, "HEAD")) !== null &&
    kindOf(join(common, "objects")) === "dir" &&
    kindOf(join(common, "refs")) === "dir"
  );
}

function kindOf(path: string): "dir" | "file" | null {
  try {
    const stat = statSync(path);
    return stat.isDirectory() ? "dir" : "file";
  } catch {
    return null;
  }
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode;
  } catch {
    return null;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
