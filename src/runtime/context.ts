import { existsSync, readdirSync } from "node:fs";
import type { Event } from "../core/event.ts";
import { type Problem, problem } from "../core/problem.ts";
import type { World } from "../core/world.ts";
import { findProject } from "../git/project.ts";
import { noRepository, openRepository, type Repository } from "../git/repository.ts";
import { worktreesOf } from "../git/worktrees.ts";
import type { Context, Files, Run, State } from "../policies/context.ts";
import { type Env, temporaryFolder, testEnvironment } from "./environment.ts";
import { isLink, readText, realPath, realPaths, times } from "./files.ts";
import { holdfastHome } from "./home.ts";
import { ownThings } from "./own.ts";
import { openPermits } from "./permits.ts";
import { recordProblem } from "./problems.ts";
import { run } from "./spawn.ts";
import { openState, stateDir } from "./state.ts";

/**
 * The real surroundings of one event: the disk, the clock, git, child processes. Cheap to make; nothing is
 * read or started before a policy asks.
 * @param root project root, or null outside any project
 */
export function liveContext(event: Event, root: string | null, cwd: string, env: Env, home: string): Context {
  const report = (found: Problem) => {
    recordProblem(found, env, home, { project: root, event: event.name });
  };
  // A commit hook runs at the top of the working tree, also with --git-dir elsewhere and no `.git` to find.
  const world = liveWorld(event.name === "pre-commit" ? (root ?? cwd) : root, cwd, env, home);
  const git = lazy(() => repositoryOf(event, world, env, report));
  const state = lazy(() => openState(stateDir(root ?? "", holdfastHome(env, home)), report));
  return {
    world,
    now: () => Date.now(),
    files,
    get state() {
      return lookAgainAfterWaiting(state(), git);
    },
    get git() {
      return git();
    },
    permits: openPermits(holdfastHome(env, home), root, () => Date.now()),
    run: async (command, dir, timeoutMs) => {
      const result = await runShell(command, dir, timeoutMs, env);
      git().forget();
      return result;
    },
    problem: report,
  };
}

/** The world as this machine has it. */
export function liveWorld(root: string | null, cwd: string, env: Env, home: string): World {
  const tmp = [env.TMPDIR, temporaryFolder(env), "/tmp", "/var/tmp"].filter((dir): dir is string =>
    Boolean(dir),
  );
  const places = tmp.flatMap((dir) => [dir, realPath(dir)]);
  return {
    root,
    cwd,
    home,
    tmp: [...new Set(places)],
    platform: process.platform,
    realpath: realPaths(),
    worktrees: lazy(() => (root === null ? [] : worktreesOf(root, home))),
    own: lazy(() => ownThings(root, cwd, env, home)),
  };
}

const files: Files = {
  readText,
  exists: existsSync,
  isLink,
  times,
  members: async (path) => (await import("./archive.ts")).archiveMembers(path),
  list: (dir) => {
    try {
      return readdirSync(dir);
    } catch {
      return [];
    }
  },
};

function repositoryOf(event: Event, world: World, env: Env, report: (found: Problem) => void): Repository {
  const { root, home } = world;
  const committing = event.name === "pre-commit";
  if (root === null || !(committing || findProject(root, null, home)?.gitDir)) return noRepository;
  return openRepository(root, env, committing ? "commit" : "ask", (cause) => {
    const hint =
      "Run `git status` in the project and mend what it says; until then tests do not start by themselves, and what a deletion would lose is told by the age of files.";
    report(problem("HF605", "git did not answer", { cause, where: { file: root }, hint }));
  });
}

async function runShell(command: string, dir: string, timeoutMs: number, env: Env): Promise<Run> {
  const result = await run({ shell: command }, { cwd: dir, env: testEnvironment(env), timeoutMs });
  const { end, code, signal, omitted, ms, cause } = result;
  const output = end === "could-not-start" ? cause : result.output.toString("utf8");
  return { end, code, signal, output, omitted, ms };
}

/** While another process ran the tests, the tree may have changed. */
function lookAgainAfterWaiting(state: State, git: () => Repository): State {
  return {
    ...state,
    exclusively: (waitMs, work) =>
      state.exclusively(waitMs, (waited) => {
        if (waited) git().forget();
        return work(waited);
      }),
  };
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
