import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Event, PreCommitEvent, TurnEndEvent } from "../../src/core/event.ts";
import { defaultSettings, type Settings, type TestSettings } from "../../src/core/settings.ts";
import type { Context } from "../../src/policies/context.ts";
import { liveContext } from "../../src/runtime/context.ts";
import { readProblems } from "../../src/runtime/problems.ts";
import { gitEnv, newRepo, type Repo } from "../git/repo.ts";

/** A repository and the events of agents working in it. */
export interface Desk extends Repo {
  readonly env: Record<string, string>;
  turnEnd(more?: Partial<TurnEndEvent>): TurnEndEvent;
  sessionStart(session?: string): Event;
  preCommit(): PreCommitEvent;
  context(event: Event): Context;
  /** How often the tests ran: their script leaves a mark outside the working tree. */
  runs(): number;
  /** Codes of the recorded problems. */
  problems(): string[];
  /** `npm`-free test command: counts its runs, prints `out`, and exits with the number in the file `code`. */
  readonly command: string;
}

/** A desk with one commit: `code` says how the tests end. */
export function newDesk(repo: Repo = newRepo()): Desk {
  repo.commit({ code: "0\n", "a.txt": "a\n" });
  const marks = join(repo.home, "runs");
  const env = gitEnv(repo.home);
  const base = {
    agent: "some-agent",
    native: "Stop",
    cwd: repo.root,
    projectHint: null,
    subagent: false,
  } as const;
  return {
    ...repo,
    env,
    command: `echo run >> '${marks}'; cat out 2>/dev/null; exit $(cat code)`,
    turnEnd: (more = {}) => ({
      ...base,
      name: "turn-end",
      session: "s1",
      continued: false,
      backgroundTasks: 0,
      phase: "final",
      ...more,
    }),
    sessionStart: (session = "s1") => ({ ...base, name: "session-start", native: "SessionStart", session }),
    preCommit: () => ({ ...base, agent: "git", name: "pre-commit", native: "pre-commit", session: null }),
    context: (event) => liveContext(event, repo.root, repo.root, env, repo.home),
    runs: () => (existsSync(marks) ? readFileSync(marks, "utf8").split("\n").length - 1 : 0),
    problems: () => readProblems({}, repo.home).map((found) => found.code),
  };
}

export function settingsWith(tests: Partial<TestSettings>, maxDiffLines = 800): Settings {
  return { ...defaultSettings, tests: { ...defaultSettings.tests, ...tests }, review: { maxDiffLines } };
}
