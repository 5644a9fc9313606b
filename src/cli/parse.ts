import { parseArgs } from "node:util";
import { type Problem, problem } from "../core/problem.ts";
import { nearest } from "../manifest/nearest.ts";
import type { Option, Spec } from "./command.ts";

/** Code of every mistake on the command line; `main` answers it with exit 64. */
export const usageCode = "HF001";

export const globalOptions: Readonly<Record<string, Option>> = {
  json: { type: "boolean", help: "one JSON object on stdout, nothing else" },
  quiet: { type: "boolean", short: "q", help: "only what was asked for" },
  verbose: { type: "boolean", short: "v", help: "more of what was found" },
  "no-color": { type: "boolean", help: "plain text (also: NO_COLOR)" },
  cwd: { type: "string", value: "dir", help: "act in this directory" },
  config: { type: "string", value: "file", help: "use this manifest" },
  yes: { type: "boolean", short: "y", help: "ask nothing" },
  help: { type: "boolean", short: "h", help: "this page" },
  version: { type: "boolean", help: "print the version" },
};

export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export type Parsed =
  | { readonly values: Values; readonly positionals: readonly string[]; readonly problem: null }
  | { readonly values: null; readonly positionals: null; readonly problem: Problem };

/**
 * Splits the arguments at the command: the first one that is neither an option nor the value of a global
 * option. `command` is null when there is none.
 */
export function findCommand(argv: readonly string[]): { command: string | null; rest: string[] } {
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index] ?? "";
    if (arg === "--") break;
    if (!arg.startsWith("-")) return { command: arg, rest: argv.filter((_, other) => other !== index) };
    if (globalOptions[arg.slice(2)]?.type === "string") index++;
  }
  return { command: null, rest: [...argv] };
}

/** Reads the arguments of one command; a mistake is named, with the nearest thing that exists. */
export function parseFor(command: string, args: readonly string[], spec: Spec): Parsed {
  const options = { ...globalOptions, ...spec.options };
  const shown = options as Record<string, { type: "boolean" | "string"; multiple?: boolean; short?: string }>;
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: shown,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const wrong =
      option === undefined
        ? unknownOption(command, token.rawName, token.name, Object.keys(options))
        : misused(command, token, option);
    if (wrong !== null) return { values: null, positionals: null, problem: wrong };
  }
  if (positionals.length > spec.positionals) {
    const extra = positionals[spec.positionals] ?? "";
    return { values: null, positionals: null, problem: tooMany(command, extra, spec) };
  }
  return { values: values as Values, positionals, problem: null };
}

export function unknownCommand(name: string, known: readonly string[]): Problem {
  const near = nearest(name, known);
  const hint = near === null ? "holdfast --help lists the commands." : `holdfast ${near}`;
  return usage(`there is no command "${name}"${near === null ? "" : ` — did you mean "${near}"?`}`, hint);
}

/** A mistake on the command line; `main` answers it with exit 64. */
export function usage(message: string, hint: string): Problem {
  return problem(usageCode, message, { hint });
}

function unknownOption(command: string, raw: string, name: string, known: readonly string[]): Problem {
  const near = raw.startsWith("--") ? nearest(name, known) : null;
  const message = `"${command}" has no option ${raw}${near === null ? "" : ` — did you mean --${near}?`}`;
  return usage(message, `holdfast ${command} --help`);
}

function misused(
  command: string,
  token: { readonly rawName: string; readonly value?: string | undefined },
  option: Option,
): Problem | null {
  const help = `holdfast ${command} --help`;
  if (option.type === "string" && token.value === undefined)
    return usage(`${token.rawName} wants a value`, help);
  if (option.type === "boolean" && token.value !== undefined)
    return usage(`${token.rawName} takes no value`, help);
  return null;
}

function tooMany(command: string, extra: string, spec: Spec): Problem {
  const hint =
    spec.positionals === 1
      ? `Put it in quotes if it is one thing: holdfast ${spec.usage}`
      : `holdfast ${spec.usage}`;
  return usage(`"${command}" does not know what to do with "${extra}"`, hint);
}
