import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { AgentSetup, Scope } from "../core/setup.ts";
import { type Cast, perform, type Seen } from "./perform.ts";
import { run } from "./process.ts";
import { findProgram } from "./program.ts";
import type { ProofResult } from "./report.ts";
import { type Base, notRun, result } from "./result.ts";
import { install, type Trouble } from "./round-trip.ts";
import { harmless, harmlessFiles, harmlessRequests } from "./scenes.ts";
import { quoted, type Theatre, writeProgram, writeTree } from "./stage.ts";

/** What may be wrong with Holdfast on the machine of somebody who has the hooks. */
const mishaps = {
  missing: "Holdfast is missing",
  "no-node": "its Node is missing",
  crash: "it crashes at every call",
} as const;

type Mishap = keyof typeof mishaps;

/** One run of the agent with hooks whose Holdfast does not work. */
export interface Broken {
  readonly mishap: Mishap;
  readonly seen: Seen;
  /** How many hooks called Holdfast; null where there was nothing to call. */
  readonly calls: number | null;
  /** True when the hooks left something in the home of somebody who has no Holdfast. */
  readonly littered: boolean;
}

export interface Cloned {
  readonly scope: Scope;
  /** Files of the install that git did not take along. */
  readonly left: readonly string[];
  readonly runs: readonly Broken[];
}

/** How Holdfast is started, and where to say what is going on. */
interface Directions {
  readonly holdfast: readonly string[];
  progress(text: string): void;
}

/**
 * Installs into the project, commits, and puts a fresh clone in the project's place; then lets the agent work in it
 * on machines whose Holdfast is broken. Comes last: nothing is put back.
 */
export async function playCloned(
  setup: AgentSetup,
  cast: Cast,
  { holdfast, progress }: Directions,
): Promise<Cloned | Trouble> {
  const { theatre } = cast;
  const scope = setup.scopes.includes("project") ? "project" : "user";
  const installed = await install(setup, scope, theatre, holdfast);
  if ("trouble" in installed) return installed;
  // What `.holdfast` holds is the state of this one machine, and ignores itself.
  const ours = installed.touched.filter((path) => /^project\/(?!\.holdfast\/)/.test(path));
  const clone = await commitAndClone(cast);
  if ("trouble" in clone) return clone;
  const left = ours
    .map((path) => path.slice("project/".length))
    .filter((path) => !clone.files.includes(path));
  const runs: Broken[] = [];
  for (const mishap of Object.keys(mishaps) as Mishap[]) {
    progress(`  hooks of a clone: ${mishaps[mishap]}`);
    runs.push(await playBroken(mishap, cast));
  }
  return { scope, left, runs };
}

/** One proof for each mishap: the agent does its work and ends, as if there were no hooks. */
export function judgeCloned({ scope, left, runs }: Cloned, theatre: Pick<Theatre, "root">): ProofResult[] {
  const hooks = scope === "project" ? "hooks of a cloned repository" : "hooks left in its config";
  return runs.map(({ mishap, seen, calls, littered }) => {
    const base: Base = {
      id: `cloned-${mishap}`,
      words: `${hooks}, ${mishaps[mishap]}: the agent works as ever`,
    };
    if (seen.requests < 2) return notRun(base, seen);
    const told = wordsTo(seen, theatre.root);
    const undone = Object.entries(harmlessFiles).filter(([file, text]) => seen.files[file] !== text);
    const { ran, requests } = seen;
    return result(base, {
      fired: calls === null ? null : calls > 0,
      disk:
        undone.length === 0
          ? "every file was written"
          : `not as it should be: ${undone.map(([file]) => file).join(", ")}`,
      told: namesUs(told) ? told.slice(0, 160) : "",
      failures: [
        undone.length > 0 && "harmless work was held up",
        requests > harmlessRequests && `the model was asked ${requests} times instead of ${harmlessRequests}`,
        (ran.timedOut || ran.exitCode !== 0) &&
          `the agent did not end by itself (${ran.exitCode ?? "a signal"})`,
        namesUs(told) && "the model was told about it",
        calls === 0 && "no hook called Holdfast, so nothing was shown",
        left.length > 0 && `not in the clone: ${left.join(", ")}`,
        littered && "a folder of Holdfast's was made in the home of somebody who has none",
      ],
    });
  });
}

/** All that the model read after its calls, on one line, without the stage's own path. */
function wordsTo(seen: Seen, root: string): string {
  const told = Array.from({ length: seen.requests - 1 }, (_, step) => seen.told(step)).flat();
  return told.map(({ text }) => text.replaceAll(root, "…").replace(/\s+/g, " ").trim()).join(" ");
}

function namesUs(told: string): boolean {
  return /holdfast/i.test(told);
}

/** Runs the agent once with the given mishap, in a home that has nothing of Holdfast's but what belongs to it. */
async function playBroken(mishap: Mishap, cast: Cast): Promise<Broken> {
  const { theatre } = cast;
  const own = join(theatre.home, ".holdfast");
  const marks = join(theatre.root, "called");
  const tools = join(theatre.root, `tools-${mishap}`);
  for (const path of [own, marks]) rmSync(path, { recursive: true, force: true });
  const hidden = mishap === "no-node" ? ["node", "nodejs", "holdfast"] : ["holdfast"];
  linkTools(tools, theatre.env.PATH ?? "", hidden);
  if (mishap === "no-node") writeProgram(join(tools, "holdfast"), withoutNode(marks));
  if (mishap === "crash") writeProgram(join(own, "bin", "holdfast"), crashing(marks));
  const env = { ...theatre.env, PATH: tools };
  const program = mishap === "no-node" ? withItsNode(cast.program, theatre) : cast.program;
  const seen = await perform(harmless, { ...cast, program, theatre: { ...theatre, env } });
  const calls = existsSync(marks) ? readFileSync(marks, "utf8").split("\n").length - 1 : 0;
  return {
    mishap,
    seen,
    calls: mishap === "missing" ? null : calls,
    littered: mishap === "missing" && existsSync(own),
  };
}

/** Agents that need Node themselves are started by it, so that only Holdfast has to do without. */
function withItsNode(program: readonly string[], { env }: Theatre): readonly string[] {
  const [file = ""] = program;
  const isScript = /^#!.*\bnode\b/.test(readFileSync(file, "latin1").slice(0, 200));
  const node = findProgram("node", env.PATH);
  return isScript && node !== null ? [node, ...program] : program;
}

/** What a program of npm's does when there is no Node. */
function withoutNode(marks: string): string {
  return `echo called >> ${quoted(marks)}\nexec /usr/bin/env node /nowhere/holdfast.cjs "$@"\n`;
}

/**
 * Ends badly in three ways, in turns: with the exit code that many agents read as a refusal, with half an answer,
 * and by a signal. At a turn's end always in the first: there it would mean to go on.
 */
function crashing(marks: string): string {
  return `echo called >> ${quoted(marks)}
turn=$(($(wc -l < ${quoted(marks)}) % 3))
[ "$3" = pre-tool ] || turn=1
case $turn in
  1) echo 'Error: out of memory' >&2; exit 2 ;;
  2) printf '{"decision":'; exit 1 ;;
  *) kill -s SEGV $$ ;;
esac
`;
}

/** A folder that holds, by links, every program of PATH but the hidden ones. */
function linkTools(folder: string, path: string, hidden: readonly string[]): void {
  mkdirSync(folder);
  const taken = new Set(hidden);
  for (const from of path.split(delimiter).filter((one) => existsSync(one))) {
    for (const name of readdirSync(from)) {
      if (taken.has(name)) continue;
      taken.add(name);
      symlinkSync(join(from, name), join(folder, name));
    }
  }
}

/** Commits all there is and puts a clone of it where the project was. */
async function commitAndClone({
  theatre,
  launch,
  stage,
}: Cast): Promise<{ files: readonly string[] } | Trouble> {
  const { root, project, env } = theatre;
  const copy = join(root, "clone");
  const steps = [
    ["git", "-C", project, "add", "--all"],
    ["git", "-C", project, "-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Add hooks"],
    ["git", "clone", "--quiet", project, copy],
    ["git", "-C", copy, "ls-files"],
  ];
  let listed = "";
  for (const argv of steps) {
    const ran = await run(argv, { cwd: root, env, timeoutMs: 30_000 });
    if (ran.exitCode !== 0) return { trouble: `${argv.join(" ")}: ${ran.cause || ran.stderr.trim()}` };
    listed = ran.stdout;
  }
  rmSync(project, { recursive: true, force: true });
  renameSync(copy, project);
  const files = listed.split("\n").filter((line) => line !== "");
  const own = Object.entries(launch.projectFiles?.(stage) ?? {}).filter(([file]) => !files.includes(file));
  writeTree(project, Object.fromEntries(own));
  return { files };
}
