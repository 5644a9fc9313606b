import type { Token } from "./lex.ts";

/** The expression in front of a dot: `Path('a')`, `x[0]`, `a.b`. */
export function chainBefore(tokens: readonly Token[], dot: number): Token[] {
  let at = dot - 1;
  while (at >= 0) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === "punct" && /^[)\]}]$/.test(token.text)) at = openerOf(tokens, at) - 1;
    else if (token.kind === "name" || token.kind === "string") {
      at--;
      if (tokens[at]?.text !== ".") break;
      at--;
    } else break;
  }
  return tokens.slice(at + 1, dot);
}

/** Index of the bracket that the one at `close` closes. */
export function openerOf(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    const token = tokens[at];
    if (token?.kind !== "punct") continue;
    if (/^[)\]}]$/.test(token.text)) depth++;
    else if (/^[([{]$/.test(token.text) && --depth === 0) return at;
  }
  return 0;
}

/** The arguments between the parenthesis at `open` and its partner. */
export function argumentsAt(tokens: readonly Token[], open: number): { args: Token[][]; end: number } {
  const end = partner(tokens, open);
  const inside = tokens.slice(open + 1, end).filter((token) => token.kind !== "line");
  return { args: inside.length === 0 ? [] : splitAt(inside, isComma), end };
}

/** Splits at tokens outside of any bracket. */
export function splitAt(tokens: readonly Token[], test: (token: Token) => boolean): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "punct" && /^[([{]$/.test(token.text)) depth++;
    if (token.kind === "punct" && /^[)\]}]$/.test(token.text)) depth--;
    if (depth === 0 && test(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** A comma between arguments. */
export function isComma(token: Token): boolean {
  return token.kind === "punct" && token.text === ",";
}

/** Index of the bracket that closes the one at `open`, or the end. */
export function partner(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== "punct") continue;
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text) && --depth === 0) return at;
  }
  return tokens.length;
}

/** The arguments of a call without parentheses. */
export function bareArguments(tokens: readonly Token[], from: number): Token[][] {
  let depth = 0;
  let at = from;
  for (; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined || token.kind === "line") break;
    if (/^(?:if|unless|for|while|or|and|do)$/.test(token.text)) break;
    if (token.kind !== "punct") continue;
    if (/^[;}]$/.test(token.text)) break;
    if (/^[([]$/.test(token.text)) depth++;
    if (/^[)\]]$/.test(token.text) && --depth < 0) break;
  }
  return splitAt(tokens.slice(from, at), isComma);
}

/** The items of a list that is spelled out, else null. */
export function unwrapList(tokens: readonly Token[]): Token[][] | null {
  const first = tokens[0];
  if (first?.kind !== "punct" || !/^[[(]$/.test(first.text)) return null;
  if (partner(tokens, 0) !== tokens.length - 1) return null;
  return splitAt(tokens.slice(1, -1), isComma)
    .map(withoutLines)
    .filter((item) => item.length > 0);
}

/** Without the line ends in front of an item and behind it. */
function withoutLines(item: Token[]): Token[] {
  if (item[0]?.kind !== "line" && item.at(-1)?.kind !== "line") return item;
  const first = item.findIndex((token) => token.kind !== "line");
  const last = item.findLastIndex((token) => token.kind !== "line");
  return first < 0 ? [] : item.slice(first, last + 1);
}
