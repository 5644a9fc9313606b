import { DECODED, FETCHED, globbed, isKnown, SOME } from "../marks.ts";
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
  textStream,
} from "../model.ts";
import { absolute } from "../place.ts";
import { recordStep, touch } from "../record.ts";
import { noteOrigin } from "../shells.ts";
import { cmdletName, runCmdlet } from "./cmdlet.ts";
import { commonAliases, windowsPath } from "./names.ts";
import { netCalls } from "./net.ts";
import { memberCall, setsEnvironment } from "./objects.ts";
import { looked, type WindowsCommand, type WindowsNames, windowsCommands } from "./tokenize.ts";

interface WindowsShell {
  readonly run: Run;
  readonly scope: Scope;
  readonly stdin: Stream;
  readonly wrappers: readonly string[];
}

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

function namesOf(shell: WindowsShell): WindowsNames {
  return { variable: (name) => shell.scope.vars.get(`ps:${name}`)?.alts[0] ?? defaults(shell, name) };
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
    case "profile":
      return `${shell.run.world.home}/Documents/PowerShell/Microsoft.PowerShell_profile.ps1`;
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
    case "env:appdata":
      return `${shell.run.world.home}/AppData/Roaming`;
    case "env:localappdata":
      return `${shell.run.world.home}/AppData/Local`;
    case "env:programdata":
      return "C:\\ProgramData";
    case "env:programfiles":
      return "C:\\Program Files";
    default:
      return undefined;
  }
}

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
  if (rest[0]?.text === "=") return assignTo(shell, first.text, rest);
  if (/^set$/i.test(first.text)) setVariable(shell, rest);
  const loop = loopOf(shell, command);
  if (loop !== null) return loop;
  let output = noText;
  for (const word of command.words) {
    if (word.code !== null && !isParameterBlock(command)) {
      const inner = runPowerShell(shell, word.code);
      output = joinStreams(output, inner);
      // `Set-Content (Join-Path a b) x`: the argument is what the code gives.
      const text = inner.text.trim();
      if (
        word !== first &&
        (word.text === `(${word.code})` ||
          word.text === `@(${word.code})` ||
          word.text === `$(${word.code})`) &&
        text !== "" &&
        isKnown(text)
      )
        call.argv[command.words.indexOf(word)] = text.replaceAll("\n", ",");
    }
  }
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
  output = joinStreams(output, netCalls(call, looked(calls, namesOf(shell))));
  const set = setsEnvironment(calls);
  if (set !== null) shell.scope.vars.set(`ps:env:${set[0].toLowerCase()}`, single(set[1]));
  if (first.code !== null && !first.quoted) return operatorTail(shell, command, output);
  const saved = shell.scope.files.get(absolute(shell.scope.cwd, windowsPath(first.text)));
  if (saved !== undefined) {
    recordStep(call, first.text);
    noteOrigin(call, saved);
    if (saved.from !== "network") return runPowerShell(shell, saved.text);
  }
  // cmd lets the switches follow at once: `rd/s/q folder`.
  const [, glued, flags = ""] =
    /^(rd|rmdir|del|erase|copy|move|xcopy|ren)((?:\/\w+)+)$/i.exec(first.text) ?? [];
  if (glued !== undefined) {
    const texts = [glued, ...flags.split(/(?=\/)/)];
    const words = [...texts.map((text) => ({ text, quoted: false, code: null })), ...rest];
    return runWords(shell, { ...command, words }, callOf(shell, { ...command, words }));
  }
  const name = first.text
    .toLowerCase()
    .replace(/^.*[\\/]/, "")
    .replace(/\.(?:exe|cmd|bat)$/, "");
  const feeds = name === "foreach" && command.piped;
  if (
    !feeds &&
    /^(?:if|else|elseif|while|foreach|for|do|try|catch|finally|switch|function|param|return|\[.*)$/.test(name)
  )
    return afterKeyword(shell, command, name, output);
  const cmdlet = name === "foreach" || Object.hasOwn(commonAliases, name) ? commonAliases[name] : undefined;
  if (cmdlet !== undefined) return runCmdlet(call, cmdlet);
  const args = call.argv
    .slice(1)
    .map((word) => (word.includes("\\") && cmdletName(name) === null ? windowsPath(word) : word));
  return call.run.engine.program({ ...call, argv: [name, ...args] });
}

function callOf(shell: WindowsShell, command: WindowsCommand): Call & { argv: string[] } {
  const argv = command.words.map((word) => word.text);
  return { ...shell, argv, env: environmentOf(shell.scope) };
}

/** What `$env:X = …` and cmd's `set X=…` have set so far. */
function environmentOf({ vars }: Scope): Map<string, string> {
  const env = new Map<string, string>();
  for (const [name, { alts }] of vars)
    if (name.startsWith("ps:env:")) env.set(name.slice(7).toUpperCase(), alts[0] ?? "");
  return env;
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

/** `foreach ($f in 'a', 'b') { … }` and cmd's `for %f in (a b) do …`; null for other commands. */
function loopOf(shell: WindowsShell, command: WindowsCommand): Stream | null {
  const [first, second] = command.words;
  const name = first?.text.toLowerCase();
  if (name === "foreach" && !command.piped && second?.code != null) {
    const found = /^\s*\$(\w+)\s+in\s+([\s\S]+)$/i.exec(second.code);
    const body = command.words.slice(2).find((word) => word.code !== null)?.code;
    if (found === null || body == null) return null;
    return eachOf(itemsOf(shell, found[2] ?? ""), (item) => {
      shell.scope.vars.set(`ps:${(found[1] ?? "").toLowerCase()}`, single(item));
      return runPowerShell(shell, body);
    });
  }
  if (name !== "for") return null;
  const words = command.words.map((word) => word.text);
  const variable = words.find((word) => /^%%?\w$/.test(word));
  const list = command.words.find((word) => word.code !== null)?.code;
  const body = words.slice(words.findIndex((word) => word.toLowerCase() === "do") + 1);
  if (variable === undefined || list == null || body.length === words.length) return null;
  // `for /r C:\ %f in (*.log)` walks a folder.
  const walked = words[words.findIndex((word) => /^\/r$/i.test(word)) + 1] ?? "";
  const folder = words[1]?.toLowerCase() === "/r" && !walked.startsWith("%") ? `${walked}\\` : "";
  return eachOf(
    list
      .trim()
      .split(/[\s,;]+/)
      .map((item) => globbed(folder + item)),
    (item) => {
      const texts = body.map((word) =>
        word.replace(new RegExp(`%?%~?[a-z]*${variable.at(-1)}\\b`, "gi"), () => item),
      );
      const rest = texts.map((text) => ({ text, quoted: false, code: null }));
      return runWindowsCommand(shell, { words: rest, into: [], piped: false, called: false });
    },
  );
}

/** The values behind `in`: listed ones, or what a command gives. */
function itemsOf(shell: WindowsShell, text: string): string[] {
  const listed = text.trim().replace(/^@\(([\s\S]*)\)$/, "$1");
  const { text: given } = runPowerShell(shell, listed);
  return given.split("\n").filter((line) => line !== "");
}

function eachOf(items: readonly string[], body: (item: string) => Stream): Stream {
  let output = noText;
  for (const item of items.length === 0 ? [SOME] : items.slice(0, 16))
    output = joinStreams(output, body(item));
  return output;
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

/** cmd's `set X=y` and `set "X=y"`. */
function setVariable(shell: WindowsShell, rest: WindowsCommand["words"]): void {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(rest.map((word) => word.text).join(" ")) ?? [];
  if (name !== undefined) shell.scope.vars.set(`ps:env:${name.toLowerCase()}`, single((value ?? "").trim()));
}

function assignTo(shell: WindowsShell, target: string, rest: WindowsCommand["words"]): Stream {
  const value = rest.slice(1);
  // A list keeps its items apart.
  const list = value.length > 1 && value.every((word) => word.quoted);
  let text = value.map((word) => word.text).join(list ? "\n" : " ");
  const isCommand = /^[a-z]+-[a-z]+$/i.test(value[0]?.text ?? "") && value[0]?.quoted === false;
  if (isCommand) {
    const inner = { words: value, into: [], piped: false, called: false };
    const given = runWindowsCommand({ ...shell, scope: copyScope(shell.scope) }, inner).text.trim();
    text = given === "" ? SOME : given;
  }
  const calls = callOf(shell, { words: value, into: [], piped: false, called: false });
  const made = netCalls(calls, looked(calls.argv.join(" "), namesOf(shell)));
  for (const word of value) {
    if (word.code !== null && !isCommand)
      text = runPowerShell({ ...shell, scope: copyScope(shell.scope) }, word.code).text || SOME;
  }
  if (made.from === "network") text = FETCHED;
  if (made.from === "decoder") text = DECODED;
  const name = target.replace(/^\$\{?(?:global:|script:)?|\}$/gi, "").toLowerCase();
  shell.scope.vars.set(`ps:${name}`, single(text.trim()));
  return noText;
}
