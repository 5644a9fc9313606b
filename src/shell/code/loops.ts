import { chainBefore, isComma, partner, splitAt, unwrapList } from "./brackets.ts";
import type { Token } from "./lex.ts";
import { learn, noteRound } from "./rounds.ts";
import { type Listed, type Names, textsOf } from "./values.ts";

/** `for a in list`, `for (const [a, b] of list)`: learns what the names before `at` stand for. */
export function loop(tokens: readonly Token[], at: number, names: Names): void {
  const listed = tokens.slice(at + 1, loopedEnd(tokens, at));
  const variables: string[] = [];
  for (let back = at - 1; back >= 0 && back > at - 12; back--) {
    const token = tokens[back];
    if (token?.kind === "name" && /^(?:for|const|let|var|my)$/.test(token.text)) break;
    if (token?.kind === "name") variables.unshift(token.text);
    else if (!/^[,()[\]]$/.test(token?.text ?? "")) break;
  }
  const found = listedBy(listed, names);
  if (found === null) {
    const texts = textsOf(listed, names);
    for (const name of variables) learn(names, name, texts);
    noteTexts(names, variables[0], texts);
    return;
  }
  // What counts the items comes first.
  const counted = listed.some(({ text }) => text === "enumerate") && variables.length > 1;
  for (const item of found.items) noteItem(names, counted ? variables.slice(1) : variables, item, found.keys);
}

/** `foreach my $x (list)`, `foreach ($list as $key => $x)`. */
export function perlLoop(tokens: readonly Token[], at: number, names: Names): void {
  const behind = tokens.slice(at + 1, at + 4).findIndex((token) => token.text === "(");
  if (behind < 0) return;
  const open = at + 1 + behind;
  const close = partner(tokens, open);
  const as = tokens.slice(open, close).findIndex((token) => token.text === "as");
  const listed = as < 0 ? tokens.slice(open, close + 1) : tokens.slice(open + 1, open + as);
  const behindAs = tokens.slice(open + as, close).filter((token) => /^\$/.test(token.text));
  const variable = tokens[open - 1]?.text ?? "";
  const variables =
    as < 0 ? [variable.startsWith("$") ? variable : "$_"] : behindAs.map((token) => token.text);
  // Only what is spelled out has several items: a name stands for its texts.
  const found = listed.some((token) => isComma(token) || token.text === "=>")
    ? listedBy(listed, names)
    : null;
  if (found === null) for (const name of variables.slice(-1)) learn(names, name, textsOf(listed, names));
  else for (const item of found.items) noteItem(names, variables, item, found.keys && variables.length > 1);
}

/** `list.forEach((a) => …)`, `list.each { |a| … }`. */
export function blockParameter(tokens: readonly Token[], at: number, names: Names): void {
  const token = tokens[at];
  if (token === undefined) return;
  const { text } = token;
  const owner =
    tokens[at - 1]?.text === "."
      ? chainBefore(tokens, at - 1)
      : [{ ...token, text: text.slice(0, Math.max(0, text.lastIndexOf("."))) }];
  const list = textsOf(owner, names);
  if (list.length === 0) return;
  const parameters = parametersAt(tokens, at + 1);
  const found = listedBy(owner, names);
  if (found === null) {
    for (const name of parameters.slice(0, 1)) learn(names, name, list);
    noteTexts(names, parameters[0], list);
  } else for (const item of found.items) noteItem(names, parameters, item, found.keys);
  // What Ruby calls it where nobody gives it a name.
  learn(names, "_1", list);
}

/** `((a) =>`, `([a, b]) =>`, `{ |a, b|`; one name alone where the items are not taken apart. */
function parametersAt(tokens: readonly Token[], from: number): string[] {
  const near = tokens.slice(from, from + 12);
  const open = near.findIndex((token, at) => at < 4 && token.kind === "punct" && /^[[|]$/.test(token.text));
  const end = near.findIndex(
    (token, at) => at > open && token.kind === "punct" && /^[\]|]$/.test(token.text),
  );
  const inside = open >= 0 && end > open ? near.slice(open + 1, end) : near.slice(0, 4);
  const found = inside.filter(
    (token) => token.kind === "name" && token.text !== "do" && token.text !== "async",
  );
  return found.slice(0, open >= 0 ? undefined : 1).map((token) => token.text);
}

/** Tokens of a list that are looked at. */
const longestList = 1000;

/**
 * `steps = [["git", "fetch"], …]`, `files = {"a": "x"}`: what a loop over it goes through.
 * @returns how many tokens were looked at
 */
export function noteList(tokens: readonly Token[], at: number, name: string, names: Names): number {
  const open = tokens[at + 1];
  const inner = tokens[at + 2]?.kind === "line" ? tokens[at + 3] : tokens[at + 2];
  const nested = /^[[(]$/.test(open?.text ?? "") && /^[[(]$/.test(inner?.text ?? "");
  if (open?.kind !== "punct" || !(nested || open.text === "{")) return 0;
  const near = tokens.slice(at + 1, at + 1 + longestList);
  const end = partner(near, 0);
  const found = end === near.length ? null : spelledOut(near.slice(0, end + 1));
  if (found !== null) names.lists.set(name, { ...found, items: found.items.slice(0, 16) });
  return end;
}

/** The items of a list that is spelled out, or of one that has a name: `steps`, `enumerate(steps)`, `files.items()`. */
function listedBy(tokens: readonly Token[], names: Names): Listed | null {
  const spelled = unwrapList(tokens) !== null ? spelledOut(tokens) : null;
  const brace = tokens.findIndex((token) => token.kind === "punct" && token.text === "{");
  const found =
    spelled ??
    named(tokens, names) ??
    (brace < 0 ? null : spelledOut(tokens.slice(brace, partner(tokens, brace) + 1)));
  if (found === null || !found.keys) return found;
  const values = tokens.some(({ text }) => /(?:^|\.)values$/.test(text));
  return values ? { keys: false, items: found.items.map((item) => unwrapList(item)?.[1] ?? []) } : found;
}

function named(tokens: readonly Token[], names: Names): Listed | null {
  for (const { kind, text } of tokens) {
    const found =
      kind === "name" ? names.lists.get(text.replace(/\.(?:items|keys|values|entries)$/, "")) : undefined;
    if (found !== undefined) return found;
  }
  return null;
}

/** Items of a list, or pairs of a map's keys and values. */
function spelledOut(tokens: readonly Token[]): Listed | null {
  const list = tokens[0]?.text === "{" ? null : unwrapList(tokens);
  if (list !== null && !list.every((item) => item[1]?.text === "=>")) return { items: list, keys: false };
  const pairs = splitAt(tokens.slice(1, -1), isComma).map((pair) => splitAt(pair, isColon));
  const items = pairs
    .filter((pair) => pair.length === 2)
    .map(([key = [], value = []]) => [bracket("["), ...key, bracket(","), ...value, bracket("]")]);
  return items.length === 0 ? null : { items, keys: true };
}

function isColon({ kind, text }: Token): boolean {
  return kind === "punct" && /^(?::|=>)$/.test(text);
}

function bracket(text: string): Token {
  return { kind: "punct", text };
}

/** `for a, b in [("git", "push"), …]`: an item with as many parts as there are names is taken apart. */
function noteItem(names: Names, variables: readonly string[], item: readonly Token[], keys: boolean): void {
  const parts = unwrapList(item);
  const apart = parts !== null && variables.length > 1 && parts.length === variables.length;
  const given = (at: number) => (apart ? (parts[at] ?? []) : keys ? (parts?.[0] ?? []) : item);
  const round = new Map(variables.map((name, at) => [name, textsOf(given(at), names)]));
  for (const [name, texts] of round) learn(names, name, texts);
  noteRound(names, round);
}

function noteTexts(names: Names, name: string | undefined, texts: readonly string[]): void {
  if (name !== undefined) for (const text of texts) noteRound(names, new Map([[name, [text]]]));
}

/** Where the list of a loop ends: at the line's end, or at a sign or word behind it outside of brackets. */
function loopedEnd(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let index = at + 1; index < Math.min(tokens.length, at + longestList); index++) {
    const { kind = "line", text = "" } = tokens[index] ?? {};
    if (depth <= 0 && (kind === "line" || text === "do" || text === "if")) return index;
    if (kind !== "punct") continue;
    if (depth <= 0 && /^[:{\])]$/.test(text)) return index;
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text)) depth--;
  }
  return Math.min(tokens.length, at + longestList);
}
