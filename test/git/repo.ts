import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];

afterAll(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** An empty temp folder, by its real path; removed after the test file. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-test-")));
  made.push(dir);
  return dir;
}

/** An environment in which only the test decides what git does. */
export function gitEnv(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "T",
    GIT_AUTHOR_EMAIL: "t@example.com",
    GIT_COMMITTER_NAME: "T",
    GIT_COMMITTER_EMAIL: "t@example.com",
  };
}

export interface Repo {
  readonly root: string;
  readonly home: string;
  git(...args: string[]): string;
  write(name: string, text: string | Buffer): void;
  /** Writes, stages everything and commits. */
  commit(files: Readonly<Record<string, string>>, message?: string): void;
}

/** A real repository without commits in `root` (default: a fresh temp folder). */
export function newRepo(root = join(tempDir(), "app")): Repo {
  const home = tempDir();
  mkdirSync(root, { recursive: true });
  const repo = repoAt(root, home);
  repo.git("init", "-q", "-b", "main");
  return repo;
}

/** A handle on a working tree that is already there. */
export function repoAt(root: string, home: string): Repo {
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: root,
      env: gitEnv(home),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const write = (name: string, text: string | Buffer) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  return {
    root,
    home,
    git,
    write,
    commit(files, message = "change") {
      for (const [name, text] of Object.entries(files)) write(name, text);
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", message);
    },
  };
}
