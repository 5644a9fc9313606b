import { hasUnknown } from "../marks.ts";
import { type Call, copyScope, noText } from "../model.ts";
import { baseOf } from "../place.ts";
import { partner } from "./brackets.ts";
import { judgeArgument } from "./judge.ts";
import type { Token } from "./lex.ts";
import { byRound } from "./rounds.ts";
import type { CodeCall, Scan } from "./scan.ts";
import { type Names, textsOf } from "./values.ts";

/** Runs shell text out of a program, in a scope of its own. */
export function runShellText(call: Call, text: string): void {
  if (text === "" || hasUnknown(text[0] ?? "")) return;
  call.run.engine.text(call, text, copyScope(call.scope), noText);
}

/** `subprocess.run(["rm", "-rf", "x"])`, `spawn("git", args)`: words of a command, once for each round. */
export function runArguments(call: Call, one: CodeCall, found: Scan): void {
  const shelled = one.args.filter((arg) => arg.some((token) => token.kind === "shell"));
  if (shelled.length > 0) return;
  judgeArgument(call, one.args.flat());
  for (const names of byRound(one.args.flat(), found.names)) runOnce(call, one, names);
}

function runOnce(call: Call, one: CodeCall, names: Names): void {
  const words = one.args
    .filter(
      (arg) =>
        !(arg[0]?.kind === "punct" && arg[0].text === "{") &&
        !(arg[0]?.kind === "name" && arg[1]?.text === "=" && !/^(?:args|cmd|command)$/.test(arg[0].text)),
    )
    .map((arg) => textsOf(arg, names));
  // `repo.git.push("--force")`, `sh.rm("-rf", "x")`: the name is part of the command.
  const own = /^(?:(git)|sh)\.(\w+)$/.exec(one.name);
  const before = own === null ? [] : [own[1], own[2]].filter((word) => word !== undefined);
  const argv = [...before, ...words.flat(), ...denoArguments(one, names)];
  // `execlp("git", "git", …)`: the program, and what it is told it is called.
  if (argv.length > 2 && baseOf(argv[0] ?? "") === argv[1]) argv.shift();
  if (argv.length === 0) return;
  if (argv.length === 1) runShellText(call, argv[0] ?? "");
  else call.run.engine.inner(call, argv, { stdin: noText });
}

/** `new Deno.Command("rm", { args: ["-rf", "x"] })`, `Deno.run({ cmd: ["rm", "-rf", "x"] })`. */
function denoArguments(one: CodeCall, names: Names): string[] {
  const [options, key] =
    one.name === "Deno.Command" ? [one.args[1], "args"] : one.name === "Deno.run" ? [one.args[0], "cmd"] : [];
  if (options === undefined) return [];
  const at = options.findIndex((token: Token) => token.text === key && token.kind === "name");
  return at < 0 ? [] : textsOf(options.slice(at + 2, partner(options, at + 2) + 1), names);
}
