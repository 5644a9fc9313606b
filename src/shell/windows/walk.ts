import { isKnown, SOME } from "../marks.ts";
import { type Call, deeper, joinStreams, noText, type Stream, spend, textStream } from "../model.ts";
import { absolute } from "../place.ts";
import { recordStep, touch } from "../record.ts";
import { noteOrigin } from "../shells.ts";
import { assignTo, splatted } from "./assign.ts";
import { cmdletName, runCmdlet } from "./cmdlet.ts";
import { setByCmd, setVariable } from "./environment.ts";
import { aliased, callFunction, isDefinition } from "./functions.ts";
import { loopOf } from "./loops.ts";
import { commonAliases, windowsPath } from "./names.ts";
import { netCalls } from "./net.ts";
import { memberCall, setsEnvironment } from "./objects.ts";
import { callOf, namesOf, type Runner, type WindowsShell } from "./shell.ts";
import { isSign, looked, sumOf, type WindowsCommand, windowsCommands } from "./tokenize.ts";

/** Runs PowerShell or cmd text: a smaller walk than that for bash, into the same steps and touches. */
export function runPowerShell(shell: WindowsShell, source: string): Stream {
  return deeper(shell.run, noText, () => {
    const names = namesOf(shell);
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

const runner: Runner = { text: runPowerShell, command: runWindowsCommand };

function runWindowsCommand(shell: WindowsShell, command: WindowsCommand): Stream {
  const call = callOf(shell, command);
  const targets = command.into.filter((target) => !/^(?:nul|\$null)$/i.test(target)).map(windowsPath);
  for (const target of targets) {
    if (call.run.steps.length === 0) recordStep(call, "redirect");
    touch(call, "write", target, "a redirect writes its target");
  }
  const output = runWords(shell, command, call);
  for (const target of targets) shell.scope.files.set(absolute(shell.scope.cwd, target), output);
  return output;
}

function runWords(shell: WindowsShell, command: WindowsCommand, call: Call & { argv: string[] }): Stream {
  const [first, ...rest] = command.words;
  if (first === undefined) return noText;
  if (isSign(rest[0])) return assignTo(shell, command.words, runner);
  if (isDefinition(shell, command)) return noText;
  if (/^set$/i.test(first.text)) setByCmd(shell, rest);
  const loop = loopOf(shell, command, runner);
  if (loop !== null) return loop;
  const sum = sumOf(command.words);
  if (sum !== null) return textStream(`${sum}\n`);
  const inside = runInside(shell, command, call);
  if (
    first.quoted &&
    command.words.every((word) => word.quoted || /^[\w.\\/-]+$/.test(word.text)) &&
    first.code === null &&
    !command.called
  )
    return textStream(`${command.words.map((word) => word.text).join("\n")}\n`);
  if (first.member !== undefined) memberCall(call, first.member.on, first.member.method);
  if (first.variable === true && rest.length === 0 && !command.called) return textStream(`${first.text}\n`);
  const calls = command.words.map((word) => word.text).join(" ");
  const output = joinStreams(inside, netCalls(call, looked(calls, namesOf(shell))));
  const set = setsEnvironment(calls);
  if (set !== null) setVariable(shell, ...set);
  if (first.code !== null && !first.quoted) return operatorTail(shell, command, output);
  const saved = shell.scope.files.get(absolute(shell.scope.cwd, windowsPath(first.text)));
  if (saved !== undefined) {
    recordStep(call, first.text);
    noteOrigin(call, saved);
    if (saved.from !== "network") return runPowerShell(shell, saved.text);
  }
  return runNamed(shell, command, call, output);
}

/** Runs the parts of a command that are code of their own. */
function runInside(shell: WindowsShell, command: WindowsCommand, call: Call & { argv: string[] }): Stream {
  let output = noText;
  if (isParameterBlock(command)) return output;
  command.words.forEach((word, at) => {
    if (word.code === null) return;
    const inner = runPowerShell(shell, word.code);
    output = joinStreams(output, inner);
    // `Set-Content (Join-Path a b) x`: the argument is what the code gives.
    const text = inner.text.trim();
    const isArgument = at > 0 && [`(${word.code})`, `@(${word.code})`, `$(${word.code})`].includes(word.text);
    if (isArgument && text !== "" && isKnown(text.slice(0, 1))) call.argv[at] = text.replaceAll("\n", ",");
  });
  return output;
}

/** A program, a cmdlet, a function or a keyword, by its name. */
function runNamed(
  shell: WindowsShell,
  command: WindowsCommand,
  call: Call & { argv: string[] },
  output: Stream,
): Stream {
  const [first, ...rest] = command.words;
  // cmd lets the switches follow at once: `rd/s/q folder`.
  const [, glued, flags = ""] =
    /^(rd|rmdir|del|erase|copy|move|xcopy|ren)((?:\/\w+)+)$/i.exec(first?.text ?? "") ?? [];
  if (glued !== undefined) {
    const texts = [glued, ...flags.split(/(?=\/)/)];
    const words = [...texts.map((text) => ({ text, quoted: false, code: null })), ...rest];
    return runWords(shell, { ...command, words }, callOf(shell, { ...command, words }));
  }
  const name = aliased(shell.scope, nameOf(first?.text ?? ""));
  if (name === "call" && rest.length > 0)
    return runWindowsCommand(shell, { ...command, words: rest, into: [] });
  const feeds = name === "foreach" && command.piped;
  if (!feeds && keywords.test(name)) return afterKeyword(shell, command, name, output);
  const argv = call.argv.flatMap((text, at) => splatted(shell.scope, command.words[at], text));
  const expanded = { ...call, argv };
  const called = callFunction(shell, expanded, name, runner);
  if (called !== null) return called;
  const cmdlet = name === "foreach" || Object.hasOwn(commonAliases, name) ? commonAliases[name] : undefined;
  if (cmdlet !== undefined) return runCmdlet(expanded, cmdlet);
  const args = argv
    .slice(1)
    .map((word) => (word.includes("\\") && cmdletName(name) === null ? windowsPath(word) : word))
    .map((word) => (name === "sort" ? word.replace(/^\/o$/i, "-o") : word));
  return call.run.engine.program({ ...call, argv: [name, ...args] });
}

const keywords =
  /^(?:if|else|elseif|while|foreach|for|do|try|catch|finally|switch|function|param|return|\[.*)$/;

function nameOf(written: string): string {
  return written
    .toLowerCase()
    .replace(/^@|^.*[\\/]/, "")
    .replace(/\.(?:exe|cmd|bat)$/, "");
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
    called: false,
  };
  return runWindowsCommand(shell, inner);
}
