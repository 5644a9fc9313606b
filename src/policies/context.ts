import type { Problem } from "../core/problem.ts";
import type { DiffSize, GitAnswer, Staged, Tree, Unsaved } from "../core/repository.ts";
import type { World } from "../core/world.ts";

/**
 * Everything a policy may do besides thinking. The live hook passes the real thing
 * (`runtime/context.ts`); `simulate`, `explain` and tests pass what they like.
 * Nothing in here throws: what fails is reported through `problem` and answered with "unknown".
 */
export interface Context {
  readonly world: World;
  /** Milliseconds since the epoch. */
  now(): number;
  readonly files: Files;
  readonly state: State;
  readonly git: Git;
  readonly permits: Permits;
  /** Runs a shell command in a folder; `timeoutMs` ends the whole process group. */
  run(command: string, dir: string, timeoutMs: number): Promise<Run>;
  /** Leaves a record that `doctor` shows. */
  problem(problem: Problem): void;
}

/** What can be switched off for a while. */
export const snoozable = ["protect", "commands", "tests", "all"] as const;
export type Snoozed = (typeof snoozable)[number];

/** What a person permitted besides the settings. */
export interface Permits {
  /** Takes the approval of exactly this call (see `callKey`), if there is one: true once. */
  take(key: string): boolean;
  snoozed(): readonly Snoozed[];
}

/** Absolute paths. Unreadable and absent look the same. */
export interface Files {
  readText(path: string): string | null;
  exists(path: string): boolean;
  /** Names in a directory; empty when there is none. */
  list(dir: string): readonly string[];
  /** Names in a tar or zip archive; null where it is too large, of another kind, or not there. */
  members(path: string): Promise<readonly string[] | null>;
  /** Is the last name itself a link? */
  isLink(path: string): boolean;
  /** When a file or folder was made and last written, milliseconds since the epoch; null when it is not there. */
  times(path: string): { readonly created: number; readonly changed: number } | null;
}

/** How a child process ended. */
export interface Run {
  readonly end: "exited" | "signal" | "timeout" | "could-not-start";
  /** Exit code when it exited by itself. */
  readonly code: number | null;
  readonly signal: string | null;
  /** stdout and stderr in the order written; of long output the first and the last part. */
  readonly output: string;
  /** Bytes left out of the middle of `output`. */
  readonly omitted: number;
  readonly ms: number;
}

/** What Holdfast remembers. Reads give the blank state when nothing, or nothing readable, is stored. */
export interface State {
  session(agent: string, session: string | null): SessionState;
  /** Read, change, write, under a lock. `saved` is false when the change will not be there next time. */
  updateSession(
    agent: string,
    session: string | null,
    change: (state: SessionState) => SessionState,
  ): { readonly state: SessionState; readonly saved: boolean };
  project(): ProjectState;
  updateProject(change: (state: ProjectState) => ProjectState): boolean;
  /**
   * Runs `work` while no other process of this project does the same, and waits at most `waitMs`
   * for that. `waited` tells `work` whether someone else held it before; null: still held.
   */
  exclusively<T>(waitMs: number, work: (waited: boolean) => Promise<T>): Promise<T | null>;
}

/** One agent session in one project. */
export interface SessionState {
  /** First event seen, milliseconds since the epoch; 0: none yet. */
  readonly since: number;
  /** How often the agent was sent back since the last pass or question to the person. */
  readonly retries: number;
  /** Fingerprint of the tree when the session began; null: not seen, or no repository. */
  readonly baseline: string | null;
  /** Commit from which the size of the change is counted; empty: before the first one; null: not known. */
  readonly base: string | null;
  /** When HEAD stood on `base`, milliseconds since the epoch. */
  readonly baseAt: number;
  /** Only talk so far: no tool that may change something was called, no turn end found a change. */
  readonly idle: boolean;
  /** A failed check from before this session that may explain its failures. */
  readonly before: Check | null;
  /** Keys of messages that are said once per session. */
  readonly told: readonly string[];
  /** Texts that wait for an event that can carry them. */
  readonly notes: readonly string[];
}

export interface ProjectState {
  /** Fingerprints that the last check that did not fail stands for. */
  readonly passed: readonly string[];
  readonly lastCheck: Check | null;
  /** Agents whose tool calls were heard in this project. */
  readonly heard: readonly string[];
}

export type Outcome =
  | "passed"
  | "newly-failing"
  | "failing-before"
  | "timed-out"
  | "could-not-run"
  | "no-tests";

/** One finished test run. */
export interface Check {
  /** Milliseconds since the epoch at its end. */
  readonly at: number;
  /** `agent/session` that had it run. */
  readonly by: string;
  readonly command: string;
  /** The tree that was tested; null where there is no repository. */
  readonly fingerprint: string | null;
  /** Commit the tree stood on; null before the first one. */
  readonly head: string | null;
  readonly outcome: Outcome;
  /** In words, e.g. `exit 1`. */
  readonly ended: string;
  /** What failed, without times and addresses: see `verify/failures.ts`. */
  readonly failures: readonly string[];
  /** Last lines of the output. */
  readonly tail: string;
}

/** Questions to the repository that the project root lies in. */
export interface Git {
  tree(): Promise<GitAnswer<Tree>>;
  /** The fingerprint once all that is there is committed; null when that is not known. */
  fingerprintOfAll(): Promise<string | null>;
  /**
   * How much was changed, committed or not, since HEAD stood on `start.head` (empty: before the first commit;
   * null: not known) at `start.at`. Up to `enough` lines generated files may be counted like others.
   */
  diffSize(
    start: { readonly head: string | null; readonly at: number },
    enough: number,
  ): Promise<GitAnswer<DiffSize>>;
  /** Files of a commit (`tree`), or those that differ between commits (`diff`); null where that is not known. */
  names(kind: "tree" | "diff", revs: readonly string[]): Promise<readonly string[] | null>;
  /** What `git commit` is about to record. Only inside a git hook. */
  staged(): Promise<GitAnswer<Staged>>;
  /**
   * Files below these absolute paths, or all of them, whose content no commit holds; with `ignored` those as well.
   * @param tree another working tree of the same repository that is meant; absolute
   */
  unsaved(paths: readonly string[], ignored?: boolean, tree?: string): Promise<GitAnswer<Unsaved>>;
}

export const blankSession: SessionState = {
  since: 0,
  retries: 0,
  baseline: null,
  base: null,
  baseAt: 0,
  idle: false,
  before: null,
  told: [],
  notes: [],
};

export const blankProject: ProjectState = { passed: [], lastCheck: null, heard: [] };
