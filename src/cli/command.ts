import type { Problem } from "../core/problem.ts";
import type { Prompts } from "./prompts.ts";

/**
 * 0 done or healthy, 1 the answer is no, 3 could not do it, 64 wrong usage, 130 interrupted.
 * 2 belongs to `holdfast hook`: agents read it as "block".
 */
export type ExitCode = 0 | 1 | 3 | 64 | 130;

/** One option of a command, as `util.parseArgs` wants it plus the words for `--help`. */
export interface Option {
  readonly type: "boolean" | "string";
  readonly multiple?: boolean;
  readonly short?: string;
  /** Name of the value in the help text, e.g. `file`. */
  readonly value?: string;
  readonly help: string;
}

/** What a command takes; also the source of its help page. */
export interface Spec {
  /** Without `holdfast`, e.g. `explain "<command>" | <path>`. */
  readonly usage: string;
  /** Option names in kebab-case, without the dashes and without the global ones. */
  readonly options: Readonly<Record<string, Option>>;
  readonly examples: readonly string[];
  /** Lines of the help page that no option has room for, e.g. a format. */
  readonly notes?: readonly string[];
  /** How many positional arguments it takes at most. */
  readonly positionals: number;
}

export interface Globals {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly yes: boolean;
  /** A manifest to use instead of the one that would be found; absolute. */
  readonly config: string | null;
}

/** Where a command prints. Every method is silent with `--json`. */
export interface Screen {
  /** Text for the person, on stdout, one newline added. */
  print(text?: string): void;
  /** What is going on right now, on stderr; silent with `--quiet`. */
  progress(text: string): void;
  /** A problem with its place, cause and next step, on stderr. */
  problem(p: Problem): void;
  readonly paint: Paint;
  /** Columns of the terminal; 100 when stdout is not one. */
  readonly width: number;
  /** A path as people read it: relative to the working directory when inside it, else with `~`. */
  path(absolute: string): string;
}

/** Colours; each returns its text unchanged when colours are off. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** Everything a command may use. Nothing in a command reads `process` on its own. */
export interface Args {
  readonly positionals: readonly string[];
  /** Values of the command's own options; absent when not given. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly globals: Globals;
  readonly screen: Screen;
  /** Absolute; `--cwd` or the working directory. */
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly version: string;
  /** The entry file of this very program, absolute; the launcher leads to it. */
  readonly entry: string;
  /** True when a person sits at the terminal and may be asked: not in CI, not with `--json` or `--yes`. */
  readonly interactive: boolean;
  /** True when stdin is a terminal, whatever else was said. */
  readonly terminal: boolean;
  /** Argument lists of the processes this one was started from, nearest first. */
  ancestors(): readonly (readonly string[])[];
  /** The questions, when `interactive`. */
  prompts(): Promise<Prompts>;
  /** Whole stdin as text; the empty string when it is a terminal. */
  stdin(): Promise<string>;
}

/** What a command hands back: the exit code and the content of the `--json` envelope. */
export interface Outcome {
  readonly exitCode: ExitCode;
  readonly data: unknown;
  readonly findings: readonly Problem[];
}

/** Every file in `commands/` exports these two. */
export interface Command {
  readonly spec: Spec;
  /**
   * Prints through `args.screen` and returns the outcome. Throws `ProblemError` for what it could not
   * do (printed by `main`, exit 3); anything else thrown is a crash and gets a crash report.
   */
  run(args: Args): Promise<Outcome>;
}

/** The person pressed Ctrl-C at a prompt, or said no to going on. `main` answers with exit 130. */
export class Interrupted extends Error {}

export function done(data: unknown = null, findings: readonly Problem[] = []): Outcome {
  return { exitCode: 0, data, findings };
}

/** The answer is no: a finding, a mismatch, a refusal. */
export function no(data: unknown, findings: readonly Problem[] = []): Outcome {
  return { exitCode: 1, data, findings };
}
