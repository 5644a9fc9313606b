import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { causeOf, type Problem, ProblemError, problem } from "../core/problem.ts";
import { holdfastHome } from "../runtime/home.ts";
import { ancestorsOf } from "./ancestors.ts";
import { commands } from "./catalog.ts";
import { type Args, type Command, type ExitCode, Interrupted, type Outcome, type Screen } from "./command.ts";
import { commandHelp, overview } from "./help.ts";
import { createScreen, envelope } from "./output.ts";
import {
  findCommand,
  globalOptions,
  parseFor,
  unknownCommand,
  usage,
  usageCode,
  type Values,
} from "./parse.ts";
import { type Prompts, terminalPrompts } from "./prompts.ts";
import { version } from "./version.ts";

/** The world the tool runs in; tests pass their own. */
export interface Host {
  readonly argv: readonly string[];
  /** Null where the folder this was started in is gone. */
  readonly cwd: string | null;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /** The file that was started, with links resolved. */
  readonly entry: string;
  /** Is a person at the keyboard, and is the output a terminal? */
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly width: number;
  ancestors(): readonly (readonly string[])[];
  prompts(): Promise<Prompts>;
  stdin(): Promise<string>;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Entry of the program: everything but `holdfast hook`, which has its own bundle. */
export async function main(): Promise<void> {
  process.once("SIGINT", () => process.exit(130));
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `holdfast doctor | head` closes the pipe early; that is no failure.
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`holdfast: the output could not be written (${error.message})\n`);
    process.exit(3);
  });
  process.exitCode = await runCli({
    argv: process.argv.slice(2),
    cwd: workingDirectory(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    entry: realpathSync(process.argv[1] ?? ""),
    stdinIsTerminal: process.stdin.isTTY === true && process.stderr.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    width: process.stdout.columns ?? 100,
    ancestors: () => ancestorsOf(process.ppid),
    prompts: terminalPrompts,
    stdin: () => (process.stdin.isTTY ? Promise.resolve("") : text(process.stdin)),
    stdout: (out) => process.stdout.write(out),
    stderr: (out) => process.stderr.write(out),
  });
}

function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** Runs one command and returns the exit code. Never throws: a crash leaves a report and gives 3. */
export async function runCli(host: Host): Promise<ExitCode> {
  const { command, rest } = findCommand(host.argv);
  const name = command ?? "status";
  let outcome: Outcome;
  try {
    outcome = await dispatch(host, name, rest, command !== null);
  } catch (error) {
    outcome = afterThrow(host, name, error);
  }
  if (wantsJson(host)) host.stdout(envelope(name, version, outcome));
  return outcome.exitCode;
}

async function dispatch(host: Host, name: string, rest: readonly string[], named: boolean): Promise<Outcome> {
  if (name === "version") return showVersion(host);
  if (name === "help") return showHelp(host, rest.find((arg) => !arg.startsWith("-")) ?? null);
  if (!named && (rest.includes("--version") || rest.includes("-V"))) return showVersion(host);
  if (!named && (rest.includes("--help") || rest.includes("-h"))) return showHelp(host, null);
  const module = await load(name);
  const parsed = parseFor(name, rest, module.spec);
  if (parsed.problem !== null) throw new ProblemError(parsed.problem);
  if (parsed.values.help === true) return showHelp(host, name);
  if (parsed.values.version === true) return showVersion(host);
  return module.run(argsOf(host, parsed.values, parsed.positionals));
}

function load(name: string): Promise<Command> {
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (listed === undefined) {
    throw new ProblemError(unknownCommand(name, [...Object.keys(commands), "help", "version"]));
  }
  return listed.load();
}

function argsOf(host: Host, values: Values, positionals: readonly string[]): Args {
  const cwd = folderOf(host, values.cwd);
  const flagOf = (name: string) => values[name] === true;
  const own = Object.entries(values).filter(([name]) => !Object.hasOwn(globalOptions, name));
  const [json, yes] = [flagOf("json"), flagOf("yes")];
  return {
    positionals,
    options: Object.fromEntries(own),
    globals: {
      json,
      yes,
      quiet: flagOf("quiet"),
      verbose: flagOf("verbose"),
      config: typeof values.config === "string" ? resolve(host.cwd ?? cwd, values.config) : null,
    },
    screen: screenOf(host, cwd, flagOf("quiet"), flagOf("no-color")),
    cwd,
    home: host.home,
    env: host.env,
    platform: host.platform,
    version,
    entry: host.entry,
    interactive: host.stdinIsTerminal && !json && !yes && !inCi(host.env),
    terminal: host.stdinIsTerminal,
    ancestors: () => host.ancestors(),
    prompts: () => host.prompts(),
    stdin: () => host.stdin(),
  };
}

/** Where to act. What the shell still calls its folder may by now be another one, so nobody guesses. */
function folderOf({ cwd }: Host, wanted: Values[string]): string {
  if (typeof wanted === "string" && (cwd !== null || isAbsolute(wanted))) return resolve(cwd ?? "/", wanted);
  if (cwd !== null) return cwd;
  const hint = "Go to one that is there (cd), or name it from the root with --cwd.";
  throw new ProblemError(usage("the folder this was started in is gone", hint));
}

function screenOf(host: Host, cwd: string, quiet: boolean, noColor: boolean): Screen {
  const { stdout, stderr, width, home, env } = host;
  const forced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0";
  const plain = noColor || Boolean(env.NO_COLOR) || env.TERM === "dumb" || env.FORCE_COLOR === "0";
  const color = !plain && (forced || host.stdoutIsTerminal);
  return createScreen({ json: wantsJson(host), quiet, color, width, cwd, home, stdout, stderr });
}

function inCi(env: Host["env"]): boolean {
  return env.CI !== undefined && env.CI !== "" && env.CI !== "false";
}

/** Known before the arguments are read, so that a mistake in them is told in JSON as well. */
function wantsJson({ argv }: Host): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}

function showVersion(host: Host): Outcome {
  if (!wantsJson(host)) host.stdout(`${version}\n`);
  return { exitCode: 0, data: { version, node: process.version, platform: host.platform }, findings: [] };
}

async function showHelp(host: Host, name: string | null): Promise<Outcome> {
  const screen = screenOf(host, host.cwd ?? host.home, false, host.argv.includes("--no-color"));
  const page =
    name === null
      ? overview(version, screen.paint)
      : commandHelp(name, (await load(name)).spec, screen.paint);
  screen.print(page);
  return { exitCode: 0, data: { help: page }, findings: [] };
}

function afterThrow(host: Host, name: string, error: unknown): Outcome {
  const screen = screenOf(host, host.cwd ?? host.home, false, host.argv.includes("--no-color"));
  if (error instanceof Interrupted) {
    if (error.message !== "") screen.problem(problem("HF002", error.message, { severity: "info" }));
    return { exitCode: 130, data: null, findings: [] };
  }
  const found = error instanceof ProblemError ? error.problem : crashed(host, name, error);
  screen.problem(found);
  return { exitCode: found.code === usageCode ? 64 : 3, data: null, findings: [found] };
}

/** Writes what is needed to find the bug. Arguments may hold secrets, so only the command's name is kept. */
function crashed(host: Host, name: string, error: unknown): Problem {
  const report = [
    `Holdfast ${version}, Node ${process.version}, ${host.platform} ${process.arch}`,
    `command: ${name}`,
    "",
    error instanceof Error ? (error.stack ?? error.message) : String(error),
    "",
  ].join("\n");
  const folder = join(holdfastHome(host.env, host.home), "crashes");
  const file = join(folder, `${new Date().toISOString().replace(/[:.]/g, "-")}.txt`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, report, { mode: 0o600 });
    return problem("HF003", `"${name}" crashed; this is a fault in Holdfast`, {
      cause: causeOf(error),
      hint: `Please report it with the file named here; it holds versions and a stack, no arguments.`,
      where: { file },
    });
  } catch {
    return problem("HF003", `"${name}" crashed; this is a fault in Holdfast`, { cause: report });
  }
}
