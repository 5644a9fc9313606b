import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { Event } from "../../src/core/event.ts";
import { defaultSettings, type Settings } from "../../src/core/settings.ts";
import { noRepository } from "../../src/git/repository.ts";
import { decide } from "../../src/pipeline/decide.ts";
import type { Context } from "../../src/policies/context.ts";
import { liveContext } from "../../src/runtime/context.ts";

/** A repository on the disk, with a home around it, and the live guard's word on commands there. */
export interface Place {
  readonly home: string;
  readonly root: string;
  git(...args: string[]): Buffer;
  /** @param hours how long ago it was written */
  put(name: string, text: string | Buffer, hours?: number): void;
  commit(): void;
  /** @param since when the session began; 0: it is not known */
  judge(
    command: string,
    since?: number,
    settings?: Settings,
  ): Promise<{ readonly said: string; readonly reason: string }>;
  remove(): void;
}

/** The usual name is one that Holdfast's own files have too: it must not count as spelled out. */
function newPlace(name = "holdfast"): Place {
  // Not below the temp folder, where nothing is weighed.
  mkdirSync(join(process.cwd(), ".cache"), { recursive: true });
  const home = realpathSync(mkdtempSync(join(process.cwd(), ".cache/weigh-")));
  const root = join(home, name);
  mkdirSync(root);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root });
  const put: Place["put"] = (file, text, hours = 0) => {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const at = Date.now() / 1000 - hours * 3600;
    utimesSync(path, at, at);
  };
  const commit = () => {
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "some");
  };
  put("src/a.ts", "a\n");
  put("src/b.ts", "b\n");
  put(".gitignore", "dist/\nnode_modules/\n");
  git("init", "-q");
  commit();
  const judge: Place["judge"] = (command, since = Date.now() - 60_000, settings = defaultSettings) =>
    judgeIn({ home, root }, command, since, settings);
  const remove = () => rmSync(home, { recursive: true, force: true });
  return { home, root, git, put, commit, judge, remove };
}

interface EachPlace extends Place {
  /** Puts another one in its stead, whose project has that name. */
  renew(name: string): void;
}

/** A new place for every test of a file; what it gives speaks of the one of the test that runs. */
export function eachPlace(): EachPlace {
  let made: Place | null = null;
  const place = (): Place => {
    if (made === null) throw new Error("no test runs");
    return made;
  };
  const remove = () => {
    made?.remove();
    made = null;
  };
  const renew = (name?: string) => {
    remove();
    made = newPlace(name);
  };
  beforeEach(() => renew());
  afterEach(remove);
  return {
    get home() {
      return place().home;
    },
    get root() {
      return place().root;
    },
    git: (...args) => place().git(...args),
    put: (...file) => place().put(...file),
    commit: () => place().commit(),
    judge: (...call) => place().judge(...call),
    remove,
    renew,
  };
}

/** The same for a project at another path, such as one that leads to it. */
export async function judgeIn(
  { home, root }: Pick<Place, "home" | "root">,
  command: string,
  since: number,
  settings: Settings,
) {
  const event: Event = {
    name: "pre-tool",
    native: "x",
    agent: "any",
    session: "s",
    cwd: root,
    projectHint: null,
    subagent: false,
    callId: null,
    tool: { kind: "shell", name: "x", input: {}, commands: [command], workdir: null },
  };
  const live = liveContext(event, root, root, { PATH: process.env.PATH }, home);
  live.state.updateSession("any", "s", (state) => ({ ...state, since }));
  const context: Context = {
    ...live,
    world: { ...live.world, tmp: ["/nowhere"] },
    // The places lie in the folder of a repository, which is not theirs.
    git: existsSync(join(root, ".git")) ? live.git : noRepository,
    state: live.state,
  };
  const { verdict } = await decide(event, settings, context);
  return { said: `${verdict.decision} ${verdict.by.join()}`.trim(), reason: verdict.reason };
}
