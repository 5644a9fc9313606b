import type { World } from "../core/world.ts";
import { runCommand } from "./command.ts";
import { noteNamed, onlyDocuments, runPowerShell } from "./foreign.ts";
import { limits } from "./limits.ts";
import { HOLE, withoutMarks, withoutMoves, withoutUnprinted } from "./marks.ts";
import {
  type Analysis,
  type Call,
  copyScope,
  deeper,
  type Engine,
  noText,
  type Run,
  type Scope,
  type Stream,
  single,
  type Value,
} from "./model.ts";
import { roughCommands } from "./parse.ts";
import { noRedirects } from "./redirect.ts";
import { runFunction, runText } from "./walk.ts";
import { looksWindows, withoutTexts } from "./windows/looks.ts";

export type { Action, Analysis, Fact, Place, Step, Touch } from "./model.ts";

/**
 * What a command line would do: the simple commands it runs, in order, and the files they touch. Pure and
 * bounded: nothing is looked up, and past the limits in `parse.ts` the answer is `incomplete`.
 */
export function analyse(command: string, world: World): Analysis {
  const run: Run = {
    world,
    engine,
    steps: [],
    touches: [],
    weight: 0,
    brought: [],
    ahead: [],
    seen: new Map(),
    lists: new Map(),
    links: new Map(),
    decoded: new Set(),
    unseen: new Set(),
    incomplete: null,
    broken: false,
    depth: 0,
    work: 0,
    calls: [],
    windows: false,
    detached: false,
    traps: [],
  };
  const source = cleaned(command);
  const windows = looksWindows(source, world);
  run.windows = windows;
  const scope = scopeOf(world);
  const shell = { run, scope, stdin: noText, wrappers: [] };
  const posix = windows ? withoutTexts(source) : source;
  const followed = (source.length > limits.length ? onlyDocuments(source) : null) ?? posix;
  runText(shell, withoutLastBackslash(followed));
  if (run.broken)
    for (const part of roughCommands(followed)) runText({ ...shell, scope: copyScope(scope) }, part);
  for (let trap = run.traps.shift(); trap !== undefined; trap = run.traps.shift()) trap();
  run.windows = false;
  if (windows) runPowerShell({ ...shell, scope: { ...scopeOf(world), files: scope.files } }, source);
  if (run.incomplete !== null && followed === posix) noteNamed(run, scopeOf(world), source);
  const { steps, touches, brought, incomplete } = run;
  return { steps, touches, brought, written: scope.files, unseen: [...run.unseen], incomplete };
}

const engine: Engine = {
  text: (call, source, scope, stdin) => {
    const { run, wrappers } = call;
    return runText({ run, scope, stdin, wrappers: withOwnName(call, wrappers) }, source);
  },
  body: runFunction,
  windows: (call, source, scope, stdin) => {
    const { run, wrappers } = call;
    return runPowerShell({ run, scope, stdin, wrappers: withOwnName(call, wrappers) }, source);
  },
  substitute: ({ run, scope, stdin }, text) =>
    runText({ run, scope, stdin, wrappers: [] }, `echo "${text.replace(/(?<!\\)"/g, '\\"')}"`).text.trimEnd(),
  program: (call) => runCommand(call, noRedirects),
  inner: (call, argv, changes = {}) => {
    const wrappers = withOwnName(call, call.wrappers);
    return deeper<Stream>(call.run, noText, () =>
      runCommand({ ...call, wrappers, ...changes, argv }, noRedirects, call.argv[0] === "time"),
    );
  },
};

function withOwnName(call: Call, wrappers: readonly string[]): readonly string[] {
  const name = call.argv[0];
  return name === undefined || wrappers.at(-1) === name ? wrappers : [...wrappers, name];
}

/**
 * No program can be given a NUL, and shells differ in what they make of one: what follows counts as a
 * command of its own. A carriage return at a line's end is a blank.
 */
function cleaned(command: string): string {
  const text = command.includes("\0") ? command.replaceAll("\0", "\n") : command;
  const lines = text.includes("\r") ? text.replace(/\r+(?=\n|$)/g, "") : text;
  return withoutUnprinted(withoutMoves(withoutMarks(lines)));
}

/** Nothing follows for a last backslash to join. */
function withoutLastBackslash(text: string): string {
  return text.endsWith("\\") ? text.replace(/(?<!\\)((?:\\\\){0,64})\\$/, "$1") : text;
}

function scopeOf(world: World): Scope {
  const vars = new Map<string, Value>([
    ["HOME", single(world.home)],
    ["TMPDIR", single(world.tmp.at(-1) ?? "/tmp")],
  ]);
  return {
    vars,
    given: vars.size,
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    params: [HOLE],
    cwd: world.cwd,
    instead: null,
    back: [],
    input: null,
    locals: null,
    place: "host",
    mounts: [],
  };
}
