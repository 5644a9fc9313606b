import { noteCommands } from "./assign.ts";
import { ownProgram } from "./listing.ts";
import { isOpaque, NOWHERE, runsInIndex, SOME } from "./marks.ts";
import {
  type Call,
  copyScope,
  noText,
  type Run,
  type Scope,
  type Stream,
  single,
  textStream,
  unknownText,
} from "./model.ts";
import { has, optionValue, optionValues, readOptions } from "./options.ts";
import { formatText } from "./output.ts";
import { homeOf } from "./parameter.ts";
import { absolute, baseOf } from "./place.ts";
import { readLine, readLines } from "./reading.ts";
import { fact, recordStep } from "./record.ts";
import type { Redirects } from "./redirect.ts";
import { runCode, runScriptFile } from "./shells.ts";
import { drivePath } from "./windows/world.ts";

const mostTraps = 32;

/** A shell builtin. Gives what it prints, or null when the word is no builtin in this form. */
type Builtin = (call: Call, redirects: Redirects) => Stream | null;

/** Builtins that change what the rest of the script means, or run other commands. */
export const builtins: Readonly<Record<string, Builtin>> = {
  cd: changeFolder,
  chdir: changeFolder,
  pushd: changeFolder,
  popd: (call) => {
    call.scope.cwd = call.scope.back.pop() ?? NOWHERE;
    call.scope.instead = null;
    return noText;
  },
  export: declare,
  declare,
  local: declare,
  typeset: declare,
  readonly: declare,
  unset: (call) => {
    noteSwitches(call);
    subscripts(call);
    for (const name of call.argv.slice(1)) {
      call.scope.vars.delete(name);
      call.scope.functions.delete(name);
    }
    return null;
  },
  complete: laterCommand,
  compgen: laterCommand,
  bind: laterCommand,
  eval: (call) => {
    const text = call.argv.slice(call.argv[1] === "--" ? 2 : 1).join(" ");
    recordStep(call, "eval");
    return runCode(call, textStream(text), call.scope);
  },
  source: (call) => sourceFile(call),
  ".": (call) => sourceFile(call),
  trap: (call) => {
    const text = call.argv.slice(1).find((word) => !/^-[lp]$|^--$/.test(word));
    if (text === undefined || text === "-" || call.argv.length < 3) return noText;
    if (call.run.traps.length < mostTraps)
      call.run.traps.push(() => void call.run.engine.text(call, text, copyScope(call.scope), noText));
    return noText;
  },
  set: (call) => {
    if (call.argv.length === 1) return listVariables(call);
    const dashes = call.argv.indexOf("--");
    if (dashes > 0) call.scope.params = call.argv.slice(dashes + 1);
    else if (call.argv[1] !== undefined && !/^[-+]/.test(call.argv[1]))
      call.scope.params = call.argv.slice(1);
    return noText;
  },
  shift: (call) => {
    call.scope.params = call.scope.params.slice(Number(call.argv[1] ?? 1) || 1);
    return noText;
  },
  read: readLine,
  mapfile: readLines,
  readarray: readLines,
  printf: (call) => {
    if (call.argv[1] !== "-v") return null;
    subscripts(call);
    call.scope.vars.set(call.argv[2] ?? "", single(formatText(call.argv.slice(3))));
    return noText;
  },
  alias: (call) => {
    for (const word of call.argv.slice(1)) {
      const equals = word.indexOf("=");
      if (equals > 0) call.scope.aliases.set(word.slice(0, equals), word.slice(equals + 1));
    }
    return noText;
  },
  unalias: (call) => {
    for (const word of call.argv.slice(1)) call.scope.aliases.delete(word);
    return noText;
  },
  exec: (call, redirects) => {
    const parsed = readOptions(call.argv.slice(1), "a", true);
    // A port of this machine is asked whether a server is up, as long as no program is handed to it.
    const asks = redirects.toNetwork === "here" && parsed.operands.length === 0;
    if (redirects.toNetwork !== null && !asks) {
      recordStep(call, "exec");
      fact(call, "network-shell");
    }
    if (redirects.stdin !== null) call.scope.input = redirects.stdin;
    return parsed.operands.length === 0 ? noText : call.run.engine.inner(call, parsed.operands);
  },
  command: (call) => {
    const parsed = readOptions(call.argv.slice(1), "-", true);
    if (has(parsed, "-v", "-V")) {
      const { home } = call.run.world;
      const places = parsed.operands.map((name) => (name === "holdfast" ? ownProgram(home) : name));
      return textStream(`${places.join("\n")}\n`);
    }
    return parsed.operands.length === 0 ? noText : call.run.engine.inner(call, parsed.operands);
  },
  builtin: (call) => (call.argv.length < 2 ? noText : call.run.engine.inner(call, call.argv.slice(1))),
  enable: () => noText,
  test: tested,
  "[": tested,
  ":": () => noText,
  true: () => noText,
  false: () => noText,
  type: () => unknownText,
  hash: (call) => {
    const parsed = readOptions(call.argv.slice(1), "p");
    const program = optionValue(parsed, "-p");
    if (program !== null) for (const name of parsed.operands) call.scope.aliases.set(name, program);
    return noText;
  },
  let: (call) => {
    subscripts(call);
    return noText;
  },
  return: () => noText,
  wait: () => noText,
};

/** The index of an array is arithmetic, and what is in it runs, also where the name is a quoted word. */
function subscripts({ run, scope, stdin, argv }: Call): void {
  for (const word of argv.slice(1)) if (runsInIndex(word)) run.engine.substitute({ run, scope, stdin }, word);
}

function tested(call: Call): Stream {
  if (call.argv.some((word) => /^-(?:v|eq|ne|lt|le|gt|ge)$/.test(word))) subscripts(call);
  return noText;
}

function changeFolder(call: Call): Stream | null {
  const scope = call.scope;
  const parsed = readOptions(call.argv.slice(1), "-");
  const target = parsed.operands[0];
  // cmd's `cd /d D:\x`.
  if (target === "/d" || target === "/D") return null;
  const before = scope.cwd;
  if (target === undefined)
    scope.cwd = call.argv.includes("-") ? (scope.back.pop() ?? NOWHERE) : homeOf(scope);
  else if (target === "-") scope.cwd = scope.back.pop() ?? NOWHERE;
  else if (isOpaque(target[0] ?? "")) scope.cwd = isOpaque(target) ? NOWHERE : `${NOWHERE}${target.slice(1)}`;
  else scope.cwd = absolute(scope.cwd, call.run.world.platform === "win32" ? drivePath(target) : target);
  scope.instead = insteadOf(call, target, before);
  searchedFolder(call, target);
  scope.back.push(before);
  return noText;
}

/** With `CDPATH`, a plain name is looked for there first; where it is not, in this folder. */
function searchedFolder({ scope, env }: Call, target: string | undefined): void {
  const given = env.get("CDPATH") ?? scope.vars.get("CDPATH")?.alts[0] ?? "";
  const first = given.split(":").find((folder) => folder !== "" && folder !== ".");
  if (first === undefined || target === undefined || /^(?:\/|\.\.?(?:\/|$)|-$)/.test(target)) return;
  scope.instead ??= scope.cwd;
  scope.cwd = absolute(absolute(scope.cwd, first), target);
}

/** Where the shell is when a `cd` to what is its folder now has failed. */
function insteadOf({ run, scope }: Call, target: string | undefined, before: string): string | null {
  if (isGone(run, scope.cwd)) return scope.instead ?? before;
  if (scope.instead === null || target === undefined || target === "-") return null;
  const other = absolute(scope.instead, target);
  // A folder that was not there the first time is not there the second time.
  if (other === before) return scope.instead;
  return other === scope.cwd ? null : other;
}

/** Did this very text move or remove the folder, with nothing after it that names the folder again? */
function isGone({ touches, steps }: Run, folder: string): boolean {
  const last = touches.findLast(
    ({ path, glob }) =>
      !glob && (path === folder || folder.startsWith(`${path}/`) || path.startsWith(`${folder}/`)),
  );
  if (last === undefined || (last.action !== "delete" && last.action !== "move")) return false;
  if (last.path.startsWith(`${folder}/`)) return false;
  const name = baseOf(folder);
  return !steps.slice(last.step + 1).some(({ args }) => args.some((arg) => arg.includes(name)));
}

/** Setting Holdfast's own variables for what comes later runs nothing, but is worth a step that rules can see. */
function noteSwitches(call: Call): void {
  if (call.argv.some((word) => word.startsWith("HOLDFAST"))) recordStep(call, call.argv[0] ?? "");
}

function declare(call: Call): Stream {
  const { scope } = call;
  noteSwitches(call);
  const nameOnly = call.argv.some((word) => /^-[a-zA-Z]*n/.test(word));
  const words = call.argv.slice(1);
  if (words.every((word) => /^-[px]+$/.test(word))) return listVariables(call);
  if (isLocal(call)) for (const word of words) keepOuter(scope, /^[A-Za-z_]\w*/.exec(word)?.[0]);
  for (const word of words) {
    const found = /^([A-Za-z_]\w*)(\+?)=(.*)$/s.exec(word);
    if (found === null) continue;
    const [, name = "", plus, text = ""] = found;
    const old = plus === "+" ? (scope.vars.get(name)?.alts[0] ?? "") : "";
    noteCommands(call, name, text);
    scope.vars.set(
      name,
      nameOnly ? { ...(scope.vars.get(text) ?? single(SOME)), ref: text } : single(old + text),
    );
  }
  return noText;
}

/** `export -p`, `set`: what all variables hold. */
function listVariables(call: Call): Stream {
  recordStep(call, call.argv[0] ?? "");
  return unknownText;
}

function isLocal({ argv, scope }: Call): boolean {
  const global = argv.some((word) => /^-[a-zA-Z]*g/.test(word));
  return scope.locals !== null && !global && /^(?:local|declare|typeset)$/.test(argv[0] ?? "");
}

function keepOuter({ locals, vars }: Scope, name: string | undefined): void {
  if (name !== undefined && locals?.has(name) === false) locals.set(name, vars.get(name));
}

function sourceFile(call: Call): Stream {
  recordStep(call, "source");
  const at = call.argv[1] === "--" ? 2 : 1;
  const file = call.argv[at];
  if (file === undefined) return noText;
  if (/^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(file))
    return runCode(call, call.stdin, call.scope);
  const kept = call.scope.params;
  const output = runScriptFile(call, file, at, call.scope);
  call.scope.params = kept;
  return output;
}

/** `complete -C text`, `bind -x '"key": text'`: a command for later. */
function laterCommand(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "CxAGWFPSX");
  for (const text of optionValues(parsed, "-C", "-x"))
    call.run.engine.text(call, text.replace(/^\s*"[^"]*"\s*:\s*/, ""), copyScope(call.scope), noText);
  return noText;
}
