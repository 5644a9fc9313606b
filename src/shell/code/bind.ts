import { argumentsAt, bareArguments, isComma, openerOf, splitAt, unwrapList } from "./brackets.ts";
import type { Token } from "./lex.ts";
import { blockParameter, loop, noteList, perlLoop } from "./loops.ts";
import { learn, noteRound } from "./rounds.ts";
import { type Names, textsOf } from "./values.ts";

/** Learns what names stand for, from assignments and loops. Twice, so that order does not matter. */
export function bind(tokens: readonly Token[], names: Names): void {
  const functions = functionsOf(tokens);
  let left = mostListed;
  tokens.forEach((token, at) => {
    const target = tokens[at - 1];
    if (left <= 0 || target?.kind !== "name" || token.kind !== "punct" || !assigns.test(token.text)) return;
    left -= noteList(tokens, at, target.text, names);
  });
  for (let round = 0; round < 2; round++) {
    names.rounds.clear();
    tokens.forEach((token, at) => {
      if (token.kind === "punct" && assigns.test(token.text)) assign(tokens, at, names);
      else if (token.kind === "name" && grows.test(token.text) && tokens[at + 1]?.text === "(")
        append(tokens, at, names);
      else if (token.kind === "name" && /^(?:in|of)$/.test(token.text)) loop(tokens, at, names);
      else if (token.kind === "name" && /^(?:for|foreach)$/.test(token.text)) perlLoop(tokens, at, names);
      else if (token.kind === "name" && /(?:^|\.)(?:forEach|map|each|filter)$/.test(token.text))
        blockParameter(tokens, at, names);
      const parameters =
        token.kind === "name" ? functions.get(token.text.replace(/\.(?:call|apply)$/, "")) : undefined;
      if (parameters !== undefined) callOwn(tokens, at, parameters, names);
    });
  }
}

const assigns = /^(?:=|:=|\+=)$/;
const grows = /\.(?:append|push|extend|concat|unshift)$/;

/** `list.append("x")`. */
function append(tokens: readonly Token[], at: number, names: Names): void {
  const name = tokens[at]?.text ?? "";
  const texts = argumentsAt(tokens, at + 1).args.flatMap((arg) => textsOf(arg, names));
  if (texts.length > 0) learn(names, name.slice(0, name.lastIndexOf(".")), texts);
}

/** The parameters of the functions that a program defines, by name. */
function functionsOf(tokens: readonly Token[]): Map<string, readonly string[]> {
  const functions = new Map<string, readonly string[]>();
  tokens.forEach((token, at) => {
    const found = token.text === "=>" ? arrowAt(tokens, at) : definitionAt(tokens, at);
    if (found !== null) functions.set(found.name, found.parameters);
  });
  return functions;
}

interface Definition {
  readonly name: string;
  readonly parameters: readonly string[];
}

const definers = /^(?:def|function|sub|lambda|fn|proc)$/;

/** `def f(a)`, `f = function (a)`, `f = lambda a: …`, `sub f { my ($a) = @_; … }`. */
function definitionAt(tokens: readonly Token[], at: number): Definition | null {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token?.kind !== "name" || !definers.test(token.text) || next === undefined) return null;
  const name = next.kind === "name" && token.text !== "lambda" ? next.text : assignedName(tokens, at);
  const from = next.kind === "name" && token.text !== "lambda" ? at + 2 : at + 1;
  if (name === null) return null;
  if (tokens[from]?.text === "(") return { name, parameters: namesIn(argumentsAt(tokens, from).args) };
  if (token.text === "lambda") {
    const colon = tokens.slice(at + 1).findIndex((one) => one.text === ":");
    const end = colon < 0 ? -1 : at + 1 + colon;
    return { name, parameters: namesIn(splitAt(tokens.slice(from, end), isComma)) };
  }
  return token.text === "sub" ? { name, parameters: perlParameters(tokens, from) } : null;
}

/** `f = (a, b) => …` and `f = a => …`. */
function arrowAt(tokens: readonly Token[], at: number): Definition | null {
  const before = tokens[at - 1];
  if (before?.kind === "name") {
    const name = assignedName(tokens, at - 1);
    return name === null ? null : { name, parameters: [before.text] };
  }
  if (before?.text !== ")") return null;
  const open = openerOf(tokens, at - 1);
  const name = assignedName(tokens, open);
  return name === null ? null : { name, parameters: namesIn(argumentsAt(tokens, open).args) };
}

/** The name that what starts at `at` is assigned to. */
function assignedName(tokens: readonly Token[], at: number): string | null {
  const equals = tokens[at - 1]?.text === "async" ? at - 2 : at - 1;
  const arrow = tokens[equals]?.text === "-" && tokens[equals - 1]?.text === "<";
  const target = tokens[arrow ? equals - 2 : equals - 1];
  const assigns = arrow || tokens[equals]?.text === "=";
  return assigns && target?.kind === "name" ? target.text : null;
}

/** Names of parameters; one that takes the rest of the arguments begins with a star. */
function namesIn(args: readonly (readonly Token[])[]): string[] {
  return args.map((arg) => {
    const name = arg.find((token) => token.kind === "name")?.text ?? "";
    return arg[0]?.text === "*" || arg[0]?.text === ".." ? `*${name}` : name;
  });
}

/** `my ($a, $b) = @_;` or `my $a = shift;` at the start of a body. */
function perlParameters(tokens: readonly Token[], open: number): string[] {
  const names: string[] = [];
  for (let at = open + 1; at < open + 40 && tokens[at] !== undefined && tokens[at]?.text !== "}"; at++) {
    if (tokens[at]?.text !== "my") continue;
    if (tokens[at + 1]?.text === "(") return namesIn(argumentsAt(tokens, at + 1).args);
    if (tokens[at + 3]?.text === "shift") names.push(tokens[at + 1]?.text ?? "");
  }
  // Without names of its own, a sub has all of them in `@_`.
  return names.length > 0 ? names : ["*$_"];
}

function callOwn(tokens: readonly Token[], at: number, parameters: readonly string[], names: Names): void {
  const open = /^(?:->|\.)$/.test(tokens[at + 1]?.text ?? "") ? at + 2 : at + 1;
  if (definers.test(tokens[at - 1]?.text ?? "")) return;
  const bare = tokens[open]?.kind === "string" && open === at + 1;
  if (tokens[open]?.text !== "(" && !bare) return;
  const args = bare ? bareArguments(tokens, open) : argumentsAt(tokens, open).args;
  const round = new Map<string, readonly string[]>();
  parameters.forEach((parameter, position) => {
    const rest = parameter.startsWith("*");
    const given = rest ? args.slice(position) : args.slice(position, position + 1);
    const texts = given.flatMap((arg) => textsOf(arg, names));
    const name = rest ? parameter.slice(1) : parameter;
    if (name === "" || texts.length === 0) return;
    learn(names, name, texts);
    round.set(name, texts);
  });
  noteRounds(names, round, args);
}

/** One name may stand for several texts in one call, as where a function calls another. */
function noteRounds(
  names: Names,
  round: ReadonlyMap<string, readonly string[]>,
  args: readonly (readonly Token[])[],
): void {
  const [[name = "", texts = []] = []] = round;
  const single = round.size === 1 && args.length === 1 && unwrapList(args[0] ?? []) === null;
  if (single) for (const text of texts) noteRound(names, new Map([[name, [text]]]));
  else noteRound(names, round);
}

/** Tokens of an assigned value that are looked at, and one. */
const longestValue = 240;
/** The same where its brackets do not close by then. */
const longestOpenValue = 60;
/** Tokens that are looked at for all lists of a program. */
const mostListed = 20_000;

function assign(tokens: readonly Token[], at: number, names: Names): void {
  const target = tokens[at - 1];
  if (target?.kind !== "name") return;
  const texts = textsOf(tokens.slice(at + 1, valueEnd(tokens, at + 1)), names);
  if (texts.length > 0) learn(names, target.text, texts);
}

/** Where an assigned value ends: with its line, unless brackets are open, or where a bracket around it closes. */
function valueEnd(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(tokens.length, from + longestValue); at++) {
    const { kind = "line", text = "" } = tokens[at] ?? {};
    if (depth <= 0 && (kind === "line" || (kind === "punct" && text === ";"))) return at;
    if (kind !== "punct") continue;
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text) && --depth < 0) return at;
  }
  return from + longestOpenValue;
}
