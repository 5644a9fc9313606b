import { hasUnknown, isKnown, isOpaque, PID_BY_NAME } from "../marks.ts";
import {
  type Call,
  copyScope,
  deeper,
  joinStreams,
  noText,
  type Stream,
  spend,
  unknownText,
  worse,
} from "../model.ts";
import { homeOf } from "../parameter.ts";
import { absolute, parentOf } from "../place.ts";
import { fact, noteLink, touch, unseen } from "../record.ts";
import { noteOrigin } from "../shells.ts";
import { backupName } from "../tools/edit.ts";
import { isAway } from "../tools/fetch.ts";
import { awkPipes, awkPrinted, awkVariables } from "./awk.ts";
import { isComma } from "./brackets.ts";
import { codeOf } from "./given.ts";
import { decodesText, endsInit, judgeArgument, judgeWhole } from "./judge.ts";
import { type Language, languageOf } from "./languages.ts";
import type { Token } from "./lex.ts";
import { printedBy, textsForShell } from "./prints.ts";
import { runArguments, runShellText } from "./runs.ts";
import { type CodeCall, type Scan, scan } from "./scan.ts";
import { fill, textsOf } from "./values.ts";

/** Looks into `python -c`, `node -e`, a script on standard input and the like. Null for other programs. */
export function runInterpreter(call: Call, name: string): Stream | null {
  const language = languageOf(name);
  if (language === null) return null;
  const given = codeOf(call, language, name);
  if (given.module !== null) return call.run.engine.inner(call, given.module);
  for (const file of given.edited) {
    touch(call, "write", file, `${name} -i edits its arguments`);
    const suffix = call.argv.find((word) => /^-[pnl]*i\S/.test(word))?.replace(/^-[pnl]*i/, "") ?? "";
    if (/[.~*_]/.test(suffix))
      touch(call, "write", backupName(file, suffix), "the old file is kept beside it");
  }
  let output = noText;
  for (const code of given.codes) output = joinStreams(output, runProgram(call, code, language, given.argv));
  if (call.stdin.text.includes(PID_BY_NAME)) return call.stdin;
  if (output.text !== "") return output;
  const columns =
    name.endsWith("awk") && !hasUnknown(call.stdin.text) && call.stdin.text !== ""
      ? awkPrinted(call.stdin.text, call.argv)
      : null;
  if (columns !== null) return { text: columns, from: call.stdin.from };
  const decodes = output.from === "decoder" && call.stdin.text !== "";
  const from = call.stdin.from === "network" ? "network" : decodes ? "decoder" : "program";
  return { text: unknownText.text, from };
}

/** Gives what the program prints, as far as it is spelled out. */
function runProgram(call: Call, code: Stream, language: Language, argv: readonly string[]): Stream {
  const name = call.argv[0] ?? "";
  noteOrigin(call, code);
  if (code.text === "" || isOpaque(code.text)) {
    if (code.text !== "") unseen(call, `the program that ${name} is given`);
    return noText;
  }
  const texts = name.endsWith("awk") ? awkVariables(call.argv) : new Map<string, string[]>();
  for (const [variable, value] of call.env) texts.set(`env ${variable}`, [value]);
  if (lineByLine(call, name)) texts.set("$_", call.stdin.text.trimEnd().split("\n").slice(0, 16));
  const input = code === call.stdin ? [] : [call.stdin.text].filter((text) => text !== "");
  const source =
    language.tilde === true ? code.text.replace(/(?<=["'])~(?=["'/])/g, () => homeOf(call.scope)) : code.text;
  const found = scan(source, language, {
    home: homeOf(call.scope),
    cwd: call.scope.cwd,
    argv,
    texts,
    input,
  });
  judgeWhole(call, found, code.text);
  for (const [at, token] of found.tokens.entries()) {
    // A template after a dollar sign: Bun's and zx's own shell.
    const own =
      token.kind === "string" && found.tokens[at - 1]?.text === "$" && language.syntax.backtick === "text";
    if (token.kind === "shell" || own) runShellText(call, fill(token, found.names));
  }
  if (name === "ipython")
    for (const line of code.text.matchAll(/^\s*(?:!|%(?:sx|system)\s|%%(?:bash|sh)\n)\s*(.+)$/gm))
      runShellText(call, line[1] ?? "");
  let here = call;
  for (const one of found.calls) {
    const folder = one.effect.kind === "chdir" ? textsOf(one.args[0] ?? [], found.names)[0] : undefined;
    if (one.effect.kind === "eval") runNested(here, one, found, language);
    if (folder === undefined) runCall(here, one, found);
    else here = { ...here, scope: copyScope(here.scope, { cwd: absolute(here.scope.cwd, folder) }) };
  }
  if (name.endsWith("awk")) awkPipes(call, found, (text) => runShellText(call, text));
  const lines = call.stdin === code ? [] : call.stdin.text.split("\n").slice(0, 16);
  for (const text of textsForShell(found, lines)) runShellText(call, text);
  if (name.endsWith("awk") && /\bsystem\s*\(\s*\$0\s*\)/.test(code.text))
    for (const text of lines) runShellText(call, text);
  const text = printedBy(found, name.endsWith("awk"));
  return { text, from: worse(decodesText(found) ? "decoder" : "program", call.stdin.from) };
}

/** `perl -ne` and `ruby -pe` run once for each line of the input. */
function lineByLine({ argv, stdin }: Call, name: string): boolean {
  return (
    /^(?:perl|ruby)/.test(name) && stdin.text !== "" && argv.some((word) => /^-[a-zA-Z0-9]*[np]/.test(word))
  );
}

/** `eval("…")`: the text is a program of the same language. */
function runNested(call: Call, one: CodeCall, found: Scan, language: Language): void {
  const { effect } = one;
  if (effect.kind !== "eval" || !spend(call.run, 10)) return;
  const given =
    one.args.length === 0
      ? [...(found.names.texts.get("$_") ?? [])]
      : one.args.flatMap((arg) => textsOf(arg, found.names));
  for (const text of given.slice(0, 4)) {
    if (!/[\s(]/.test(text) || !isKnown(text)) continue;
    deeper(call.run, noText, () => runProgram(call, { text, from: "text" }, language, found.names.argv));
  }
}

function runCall(call: Call, one: CodeCall, found: Scan): void {
  const { effect, name } = one;
  const texts = (at: number | "self" | "all") =>
    at === "self"
      ? textsOf(one.self, found.names)
      : at === "all"
        ? one.args.flatMap((arg) => textsOf(arg, found.names))
        : textsOf(argumentAt(one.args, at), found.names);
  const via = `${name.replace(/^\./, "")}() in the program`;
  switch (effect.kind) {
    case "write":
      for (const path of texts(effect.at))
        touch(call, "write", path, via, { keeps: /append|touch|mkdir|makedirs/i.test(name) });
      return;
    case "delete":
    case "tree":
      for (const path of texts(effect.at))
        if (path[0] !== "-") touch(call, "delete", path, via, { tree: effect.kind === "tree" });
      return;
    case "move":
      for (const path of texts(effect.from)) touch(call, "move", path, via, { tree: true });
      for (const path of texts(effect.to)) touch(call, "write", path, via);
      return;
    case "copy":
      for (const path of texts(effect.to)) touch(call, "write", path, via);
      return;
    case "link":
      makeLinks(call, texts(effect.from), texts(effect.to), via);
      return;
    case "mode":
      for (const path of texts(0)) call.run.engine.inner(call, ["chmod", "777", path]);
      return;
    case "kill":
      for (const given of one.args.map((arg) => arg.map((token) => token.text).join("")))
        if (/^-\d/.test(given) || (given === "1" && endsInit(one)))
          call.run.engine.inner(call, ["kill", "-9", given]);
      return;
    case "open":
      openFile(call, one, found, texts, via);
      return;
    case "shell":
      if (
        found.quotes === "text" &&
        /^\.?exec$/.test(name) &&
        !/child_process|execa|shelljs|zx|\bcp\b/.test([...found.words].join(" ") + strings(found))
      )
        return;
      judgeArgument(call, one.args.flat());
      for (const text of isList(effect, one) ? [texts(effect.at).join(" ")] : texts(effect.at))
        runShellText(call, text);
      return;
    case "argv":
      runArguments(call, one, found);
      return;
    case "sql":
      for (const text of texts(effect.at))
        if (/\s/.test(text) && isKnown(text))
          call.run.engine.inner(call, ["psql", "-c", text], { stdin: noText });
      return;
    case "http":
      for (const url of texts(effect.at)) if (/^https?:/.test(url) && isAway(url)) fact(call, "http-delete");
      return;
    case "edit":
      if (one.args.some((arg) => arg[0]?.text === "inplace"))
        for (const path of texts(effect.at)) touch(call, "write", path, via);
      return;
    case "as":
      call.run.engine.inner(call, effect.command.split(" "), { stdin: noText });
      return;
    case "chdir":
    case "eval":
      return;
  }
}

/** Python's names for the first arguments of what opens, moves and deletes. */
const argumentNames = [/^(?:file|path|name|src|source|top|cmd|command)$/, /^(?:dst|dest|mode)$/];

/** The argument at a place, also where arguments are given by their names in another order. */
function argumentAt(args: CodeCall["args"], at: number): readonly Token[] {
  const positional = args.filter((arg) => !isNamed(arg));
  if (positional.length > at || positional.length === args.length) return args[at] ?? [];
  return args.find((arg) => isNamed(arg) && argumentNames[at]?.test(arg[0]?.text ?? "")) ?? args[at] ?? [];
}

function isNamed(arg: readonly Token[]): boolean {
  return arg[0]?.kind === "name" && arg[1]?.kind === "punct" && arg[1].text === "=";
}

/** `["rm", "-rf", "x"].execute()`: the words of one command. */
function isList({ kind, ...effect }: CodeCall["effect"], one: CodeCall): boolean {
  if (kind !== "shell" || !("at" in effect)) return false;
  return effect.at === "all" || (effect.at === "self" && one.self.some(isComma));
}

function strings(found: Scan): string {
  return found.tokens
    .filter((token) => token.kind === "string")
    .map((token) => token.text)
    .join(" ");
}

function makeLinks(call: Call, targets: readonly string[], links: readonly string[], via: string): void {
  for (const path of links) {
    touch(call, "write", path, via, { replaces: true });
    const link = absolute(call.scope.cwd, path);
    for (const target of targets) {
      noteLink(call, link, absolute(parentOf(link), target));
      noteLink(call, link, absolute(call.scope.cwd, target));
    }
  }
}

type Texts = (at: number | "self") => string[];

function openFile(call: Call, one: CodeCall, found: Scan, texts: Texts, via: string): void {
  const effect = one.effect;
  if (effect.kind !== "open") return;
  if (effect.at === effect.mode) {
    openPerl(call, one, found, via);
    return;
  }
  const mode = texts(effect.mode).concat(
    one.args
      .filter((arg) => arg[0]?.text === "mode")
      .flatMap((arg) => arg.filter((token) => token.kind === "string").map((token) => token.text)),
  );
  const constant = (one.args[effect.mode] ?? []).some((token) => /WRONLY|RDWR|CREAT/.test(token.text));
  if (!constant && !mode.some((text) => /^[^r]*[wax+]|^r.?\+/.test(text))) return;
  const keeps = mode.length > 0 && mode.every((text) => text.includes("a"));
  for (const path of texts(effect.at)) touch(call, "write", path, via, { keeps });
}

/** Perl's `open(F, ">file")`, `open(F, ">", "file")` and `open(F, "| command")`. */
function openPerl(call: Call, one: CodeCall, found: Scan, via: string): void {
  const texts = (at: number) => textsOf(one.args[at] ?? [], found.names);
  for (const text of texts(1)) {
    if (/^(?:-\||\|-)$/.test(text)) {
      const argv = one.args.slice(2).flatMap((arg) => textsOf(arg, found.names));
      if (argv.length > 1) call.run.engine.inner(call, argv, { stdin: noText });
      else runShellText(call, argv[0] ?? "");
      continue;
    }
    const pipe = /^\s*\|\s*(.*)$|^(.*)\|\s*$/s.exec(text);
    if (pipe !== null && text.length > 2) runShellText(call, pipe[1] ?? pipe[2] ?? "");
    const mode = /^\s*\+?(>>?|<)\s*(.*)$/s.exec(text);
    if (mode === null || (mode[1] === "<" && !text.includes("+"))) continue;
    const paths = (mode[2] ?? "").startsWith(":") || mode[2] === "" ? texts(2) : [mode[2] ?? ""];
    for (const path of paths) touch(call, "write", path, via, { keeps: mode[1] === ">>" });
  }
}
