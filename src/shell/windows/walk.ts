import { runCommand } from "../command.ts";
import { SOME } from "../marks.ts";
import {
  type Call,
  copyScope,
  deeper,
  joinStreams,
  noText,
  type Run,
  type Scope,
  type Stream,
  single,
  spend,
} from "../model.ts";
import { recordStep, touch } from "../record.ts";
import { cmdletName, runCmdlet } from "./cmdlet.ts";
import { commonAliases, windowsPath } from "./names.ts";
import { netCalls } from "./net.ts";
import { type WindowsCommand, windowsCommands } from "./tokenize.ts";

interface WindowsShell {
  readonly run: Run;
  readonly scope: Scope;
  readonly stdin: Stream;
  readonly wrappers: readonly string[];
}

/** Runs PowerShell or cmd text: a smaller walk than that for bash, into the same steps and touches. */
export function runPowerShell(shell: WindowsShell, source: string): Stream {
  return deeper(shell.run, noText, () => {
    const names = {
      variable: (name: string) => shell.scope.vars.get(`ps:${name}`)?.alts[0] ?? defaults(shell, name),
    };
    let output = noText;
    let last = shell.stdin;
    for (const command of windowsCommands(source, names)) {
      if (!spend(shell.run)) break;
      last = runWindowsCommand({ ...shell, stdin: command.piped ? last : shell.stdin }, command);
      output = joinStreams(output, last);
    }
    return output;
  });
}

function defaults(shell: WindowsShell, name: string): string | undefined {
  switch (name) {
    case "env:userprofile":
    case "env:home":
    case "home":
      return shell.run.world.home;
    case "env:temp":
    case "env:tmp":
      return shell.run.world.tmp[0] ?? "/tmp";
    case "pwd":
    case "psscriptroot":
    case "env:cd":
      return shell.scope.cwd;
    case "true":
    case "false":
    case "null":
      return `$${name}`;
    case "env:systemdrive":
      return "C:";
    case "env:systemroot":
    case "env:windir":
      return "C:\\Windows";
    case "env:programfiles":
      return "C:\\Program Files";
    default:
      return undefined;
  }
}

function runWindowsCommand(shell: WindowsShell, command: WindowsCommand): Stream {
  const [first, ...rest] = command.words;
  const call = callOf(shell, command);
  for (const target of command.into) {
    if (/^(?:nul|\$null)$/i.test(target)) continue;
    if (call.run.steps.length === 0) recordStep(call, "redirect");
    touch(call, "write", windowsPath(target), "a redirect writes its target");
  }
  if (first === undefined) return noText;
  if (rest[0]?.text === "=") return assignTo(shell, first.text, rest);
  let output = noText;
  for (const word of command.words) {
    if (word.code !== null && !isParameterBlock(command))
      output = joinStreams(output, runPowerShell(shell, word.code));
  }
  const calls = command.words.map((word) => word.text).join(" ");
  output = joinStreams(output, netCalls(call, calls));
  if (first.code !== null && !first.quoted) return operatorTail(shell, command, output);
  const name = first.text
    .toLowerCase()
    .replace(/^.*[\\/]/, "")
    .replace(/\.(?:exe|cmd|bat)$/, "");
  if (
    /^(?:if|else|elseif|while|foreach|for|do|try|catch|finally|switch|function|param|return|\[.*)$/.test(name)
  )
    return afterKeyword(shell, command, name, output);
  const cmdlet = commonAliases[name];
  if (cmdlet !== undefined) return runCmdlet(call, cmdlet);
  const args = call.argv
    .slice(1)
    .map((word) => (word.includes("\\") && cmdletName(name) === null ? windowsPath(word) : word));
  return runCommand({ ...call, argv: [name, ...args] }, noRedirects);
}

const noRedirects = { stdin: null, toNetwork: false, finish: (output: Stream) => output };

function callOf(shell: WindowsShell, command: WindowsCommand): Call {
  const argv = command.words.map((word) => word.text);
  return { ...shell, argv, env: new Map() };
}

/** `ForEach-Object { … }` runs its block itself, with the items of the pipeline. */
function isParameterBlock(command: WindowsCommand): boolean {
  return /^(?:foreach-object|%|where-object|\?|invoke-command|icm|start-job|foreach)$/i.test(
    command.words[0]?.text ?? "",
  );
}

function operatorTail(shell: WindowsShell, command: WindowsCommand, output: Stream): Stream {
  const split = command.words.findIndex((word) => /^-(?:join|replace|split|f)$/i.test(word.text));
  return split > 0 || command.piped
    ? { text: output.text === "" ? SOME : output.text, from: output.from }
    : joinStreams(output, shell.stdin);
}

/** cmd's `if exist x del y` and `for %f in (…) do command`. */
function afterKeyword(shell: WindowsShell, command: WindowsCommand, name: string, output: Stream): Stream {
  const words = command.words.map((word) => word.text);
  let rest: readonly string[] = [];
  if (name === "for") rest = words.slice(words.findIndex((word) => word.toLowerCase() === "do") + 1);
  else if (name === "if" && /^(?:not|exist|defined|errorlevel|\/i)$/i.test(words[1] ?? "")) {
    rest = words.slice(/^(?:not|\/i)$/i.test(words[1] ?? "") ? 4 : 3);
  } else if (name === "else") rest = words.slice(1);
  const head = rest[0];
  if (head === undefined || rest.length === words.length || head.startsWith("{") || head.startsWith("("))
    return output;
  const inner = {
    words: rest.map((text) => ({ text, quoted: false, code: null })),
    into: [],
    piped: command.piped,
  };
  return runWindowsCommand(shell, inner);
}

function assignTo(shell: WindowsShell, target: string, rest: WindowsCommand["words"]): Stream {
  const value = rest.slice(1);
  let text = value.map((word) => word.text).join(" ");
  for (const word of value) {
    if (word.code !== null)
      text = runPowerShell({ ...shell, scope: copyScope(shell.scope) }, word.code).text || SOME;
  }
  const name = target.replace(/^\$(?:global:|script:)?/i, "").toLowerCase();
  shell.scope.vars.set(`ps:${name}`, single(text.trim()));
  return noText;
}
