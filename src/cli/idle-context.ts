import { resolve } from "node:path";
import type { Event } from "../core/event.ts";
import type { StagedFile } from "../core/repository.ts";
import { blankProject, blankSession, type Context, type Run } from "../policies/context.ts";
import { liveContext } from "../runtime/context.ts";
import type { Args } from "./command.ts";

/** A context that reads the disk but starts nothing and changes nothing. */
export interface IdleContext extends Context {
  /** Commands that a live hook would have run. */
  readonly wouldRun: readonly string[];
}

export interface Pretence {
  /** How the tests end. */
  readonly tests: "pass" | "fail";
  /** Files to be committed, as written. */
  readonly staged: readonly string[];
}

/** For `simulate`: the working tree counts as changed, and tests end as they are told to. */
export function idleContext(event: Event, root: string | null, args: Args, pretence: Pretence): IdleContext {
  const live = liveContext(event, root, args.cwd, args.env, args.home);
  const wouldRun: string[] = [];
  const at = root ?? args.cwd;
  const staged = pretence.staged.map(
    (name): StagedFile => ({ path: resolve(at, name), name, change: "modified" }),
  );
  return {
    world: live.world,
    files: live.files,
    now: live.now,
    wouldRun,
    state: {
      session: () => blankSession,
      updateSession: (_agent, _session, change) => ({ state: change(blankSession), saved: true }),
      project: () => blankProject,
      updateProject: () => true,
      exclusively: (_waitMs, work) => work(false),
    },
    git: {
      tree: async () => ({ kind: "tree", fingerprint: "simulated", head: null, clean: false }),
      fingerprintOfAll: async () => null,
      // A question to git changes nothing, and without the answer the verdict would be another one.
      unsaved: (paths, ignored, tree) => live.git.unsaved(paths, ignored, tree),
      names: (kind, revs) => live.git.names(kind, revs),
      diffSize: async () => ({ kind: "diff", lines: 0, generated: 0, committed: false, atLeast: false }),
      staged: async () => ({ kind: "staged", files: staged, otherChanges: false, fingerprint: "simulated" }),
    },
    permits: { take: () => false, snoozed: () => [] },
    run: async (command) => {
      wouldRun.push(command);
      return ended(pretence.tests);
    },
    problem: () => undefined,
  };
}

function ended(tests: Pretence["tests"]): Run {
  const failed = tests === "fail";
  const output = failed ? "(simulated: the output of the failing tests would stand here)\n" : "";
  return { end: "exited", code: failed ? 1 : 0, signal: null, output, omitted: 0, ms: 0 };
}
