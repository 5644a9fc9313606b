import { argumentsAt, bareArguments, chainBefore, isComma, openerOf, partner, splitAt } from "./brackets.ts";
import type { Token } from "./lex.ts";
import { noteRound } from "./rounds.ts";
import { type Names, textsOf, unwrapList } from "./values.ts";

/** Learns what names stand for, from assignments and loops. Twice, so that order does not matter. */
export function bind(tokens: readonly Token[], names: Names): void {
  const functions = functionsOf(tokens);
  for (let round = 0; round < 2; round++) {
    names.rounds.clear();
    tokens.forEach((token, at) => {
      if (token.kind === "punct" && /^(?:=|:=|\+=)$/.test(token.text)) assign(tokens, at, names);
      else if (token.kind === "name" && grows.test(token.text) && tokens[at + 1]?.text === "(")
        append(tokens, at, names);
      else if (token.kind === "name" && /^(?:in|of)$/.test(token.text)) loop(tokens, at, at + 1, names);
      else if (token.kind === "name" && /^(?:for|foreach)$/.test(token.text)) perlLoop(tokens, at, names);
      else if (token.kind === "name" && /(?:^|\.)(?:forEach|map|each|filter)$/.test(token.text))
        blockParameter(tokens, at, names);
      const parameters =
        token.kind === "name" ? functions.get(token.text.replace(/\.(?:call|apply)$/, "")) : undefined;
      if (parameters !== undefined) callOwn(tokens, at, parameters, names);
    });
  }
}

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
const longestValue = 60;

function assign(tokens: readonly Token[], at: number, names: Names): void {
  const target = tokens[at - 1];
  if (target?.kind !== "name") return;
  const value = tokens.slice(at + 1, at + longestValue);
  const end = value.findIndex(({ kind, text }) => kind === "line" || (kind === "punct" && text === ";"));
  const texts = textsOf(end < 0 ? value : value.slice(0, end), names);
  if (texts.length > 0) learn(names, target.text, texts);
}

function loop(tokens: readonly Token[], at: number, from: number, names: Names): void {
  const listed = tokens.slice(from, loopedEnd(tokens, at));
  const texts = textsOf(listed, names);
  if (texts.length === 0) return;
  const variables: string[] = [];
  for (let back = at - 1; back >= 0 && back > at - 8; back--) {
    const token = tokens[back];
    if (token?.kind === "name" && /^(?:for|const|let|var|my)$/.test(token.text)) break;
    if (token?.kind === "name") variables.unshift(token.text);
    else if (!/^[,()[\]]$/.test(token?.text ?? "")) break;
  }
  for (const name of variables) learn(names, name, texts);
  for (const item of unwrapList(listed) ?? []) noteItem(names, variables, item);
  if (unwrapList(listed) === null) noteTexts(names, variables[0], texts);
}

/** `for a, b in [("git", "push"), …]`: an item with as many parts as there are names is taken apart. */
function noteItem(names: Names, variables: readonly string[], item: readonly Token[]): void {
  const parts = unwrapList(item);
  const apart = variables.length > 1 && parts?.length === variables.length;
  const round = variables.map(
    (name, at) => [name, textsOf(apart ? (parts[at] ?? []) : item, names)] as const,
  );
  noteRound(names, new Map(round));
}

function noteTexts(names: Names, name: string | undefined, texts: readonly string[]): void {
  if (name !== undefined) for (const text of texts) noteRound(names, new Map([[name, [text]]]));
}

function perlLoop(tokens: readonly Token[], at: number, names: Names): void {
  const behind = tokens.slice(at + 1, at + 4).findIndex((token) => token.text === "(");
  if (behind < 0) return;
  const open = at + 1 + behind;
  const inside = tokens.slice(open + 1, partner(tokens, open));
  const as = inside.findIndex((token) => token.text === "as");
  const texts = textsOf(as < 0 ? inside : inside.slice(0, as), names);
  const variable = as >= 0 ? inside.at(-1) : tokens[open - 1];
  if (texts.length > 0 && variable?.kind === "name")
    learn(names, variable.text.startsWith("$") ? variable.text : "$_", texts);
}

function blockParameter(tokens: readonly Token[], at: number, names: Names): void {
  const name = tokens[at]?.text ?? "";
  const dotted = tokens[at - 1]?.text === ".";
  const list = dotted
    ? textsOf(chainBefore(tokens, at - 1), names)
    : names.texts.get(name.slice(0, Math.max(0, name.lastIndexOf("."))));
  const parameter = tokens
    .slice(at + 1, at + 5)
    .find((token) => token.kind === "name" && token.text !== "do");
  if (list === undefined) return;
  if (parameter !== undefined) learn(names, parameter.text, list);
  noteTexts(names, parameter?.text, list);
  // What Ruby calls it where nobody gives it a name.
  learn(names, "_1", list);
}

/** Where the list of a loop ends: at the line's end, or at a sign or word behind it outside of brackets. */
function loopedEnd(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at + 1; index < tokens.length; index++) {
    const { kind = "line", text = "" } = tokens[index] ?? {};
    if (kind === "line" || text === "do" || text === "if") return index;
    if (kind !== "punct") continue;
    if (depth <= 0 && /^[:{\])]$/.test(text)) return index;
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text)) depth--;
  }
  return tokens.length;
}

function learn(names: Names, name: string, texts: readonly string[]): void {
  const before = names.texts.get(name) ?? [];
  names.texts.set(name, [...new Set([...before, ...texts])].slice(0, 16));
}
