import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../../src/cli/main.ts";
import type { Choice, Prompts } from "../../src/cli/prompts.ts";

/** The built program, which the launcher of an install leads to; `npm test` builds it first. */
const program = process.env.HOLDFAST_PROGRAM ?? join(process.cwd(), "dist/holdfast.cjs");

/** A home and a project in a temp folder. */
export interface Place {
  readonly home: string;
  readonly project: string;
  remove(): void;
}

export function makePlace(): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-cli-")));
  const home = join(base, "home");
  const project = join(base, "project");
  for (const folder of [home, project]) mkdirSync(folder);
  execFileSync("git", ["init", "--quiet", project]);
  return { home, project, remove: () => rmSync(base, { recursive: true, force: true }) };
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Every question that was asked, with the answer given. */
  readonly asked: readonly string[];
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string;
  /** Columns of the terminal; 100 when not said. */
  readonly width?: number;
  /** The programs this one was started from, nearest first. */
  readonly ancestors?: readonly (readonly string[])[];
  /** Answers by a part of the question; unanswered questions keep their default. A person sits there. */
  readonly answers?: Readonly<Record<string, unknown>>;
}

/** Runs the tool in this process, with its output caught. */
export async function holdfast(
  place: Place,
  argv: readonly string[],
  options: RunOptions = {},
): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  const asked: string[] = [];
  const code = await runCli({
    argv,
    cwd: options.cwd ?? place.project,
    home: place.home,
    env: { PATH: process.env.PATH, HOME: place.home, ...options.env },
    platform: process.platform,
    entry: program,
    stdinIsTerminal: options.answers !== undefined,
    stdoutIsTerminal: false,
    width: options.width ?? 100,
    ancestors: () => options.ancestors ?? [["-bash"]],
    prompts: async () => answering(options.answers ?? {}, asked),
    stdin: async () => options.stdin ?? "",
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr, asked };
}

/** The parsed `--json` envelope. */
export async function envelopeOf(place: Place, argv: readonly string[], options: RunOptions = {}) {
  const ran = await holdfast(place, [...argv, "--json"], options);
  return { ...ran, json: JSON.parse(ran.stdout) as Record<string, unknown> };
}

function answering(answers: Readonly<Record<string, unknown>>, asked: string[]): Prompts {
  const answer = <T>(question: string, otherwise: T): T => {
    const key = Object.keys(answers).find((part) => question.includes(part));
    const given = key === undefined ? otherwise : (answers[key] as T);
    asked.push(`${question} ${JSON.stringify(given)}`);
    return given;
  };
  return {
    select: async <T>(message: string, _choices: readonly Choice<T>[], initial: T) =>
      answer(message, initial),
    several: async <T>(message: string, _choices: readonly Choice<T>[], initial: readonly T[]) => [
      ...answer(message, initial),
    ],
    text: async (message, initial) => answer(message, initial),
    confirm: async (message, initial) => answer(message, initial),
  };
}
