import type { Range } from "./text.ts";

/** One statement of a TOML document, with the full path of what it defines. */
export interface Statement extends Range {
  /** `table`: `[a.b]`. `item`: `[[a.b]]`. `pair`: `key = value`. */
  readonly kind: "table" | "item" | "pair";
  readonly path: readonly string[];
  /** Of a pair: where its value stands. */
  readonly value: Range | null;
}

/** The inside of an array value: its elements, each with the comma behind it. */
export interface ArrayText {
  readonly elements: readonly (Range & { readonly comma: number | null })[];
  /** Offset of the closing bracket. */
  readonly close: number;
}

/**
 * Lists the statements of a document that is known to parse; everything else about it is left to the parser.
 * Strings of all four kinds, comments and nesting are stepped over as TOML 1.0 has them.
 */
export function statementsOf(text: string): Statement[] {
  const found: Statement[] = [];
  let table: readonly string[] = [];
  for (let at = skipBlank(text, 0); at < text.length; at = skipBlank(text, at)) {
    const statement = text[at] === "[" ? headerAt(text, at) : pairAt(text, at, table);
    if (statement.kind !== "pair") table = statement.path;
    found.push(statement);
    at = Math.max(statement.end, at + 1);
  }
  return found;
}

/** Reads the array whose opening bracket stands at `start`. */
export function arrayAt(text: string, start: number): ArrayText {
  const elements: (Range & { comma: number | null })[] = [];
  let at = skipBlank(text, start + 1);
  while (at < text.length && text[at] !== "]") {
    const end = valueEnd(text, at);
    const next = skipBlank(text, end);
    const comma = text[next] === "," ? next : null;
    elements.push({ start: at, end, comma });
    at = comma === null ? next : skipBlank(text, comma + 1);
  }
  return { elements, close: at };
}

function headerAt(text: string, start: number): Statement {
  const double = text[start + 1] === "[";
  const path = keysAt(text, start + (double ? 2 : 1), "]");
  const close = text.indexOf("]", path.end);
  return {
    kind: double ? "item" : "table",
    path: path.keys,
    value: null,
    start,
    end: close + (double ? 2 : 1),
  };
}

function pairAt(text: string, start: number, table: readonly string[]): Statement {
  const key = keysAt(text, start, "=");
  const from = skipSpace(text, text.indexOf("=", key.end) + 1);
  const value = { start: from, end: valueEnd(text, from) };
  return { kind: "pair", path: [...table, ...key.keys], value, start, end: value.end };
}

/** A dotted key, quoted parts included; `end` is the offset behind its last part. */
function keysAt(text: string, start: number, stop: string): { keys: string[]; end: number } {
  const keys: string[] = [];
  let at = skipSpace(text, start);
  while (at < text.length && text[at] !== stop) {
    const quote = text[at];
    const end = quote === '"' || quote === "'" ? stringEnd(text, at) : bareEnd(text, at);
    const part = text.slice(at, end);
    keys.push(quote === '"' ? unescaped(part) : quote === "'" ? part.slice(1, -1) : part);
    at = skipSpace(text, end);
    if (text[at] !== ".") return { keys, end: at };
    at = skipSpace(text, at + 1);
  }
  return { keys, end: at };
}

function bareEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && /[\w-]/.test(text[at] ?? "")) at += 1;
  return at;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"' || first === "'") return stringEnd(text, start);
  if (first === "[") return arrayAt(text, start).close + 1;
  if (first === "{") return tableEnd(text, start);
  let at = start;
  while (at < text.length && !/[,\]}#\r\n]/.test(text[at] ?? "")) at += 1;
  while (at > start && /[ \t]/.test(text[at - 1] ?? "")) at -= 1;
  return at;
}

/** Behind the closing brace of an inline table. */
function tableEnd(text: string, start: number): number {
  let at = skipBlank(text, start + 1);
  while (at < text.length && text[at] !== "}") {
    at = skipBlank(text, pairAt(text, at, []).end);
    if (text[at] === ",") at = skipBlank(text, at + 1);
  }
  return at + 1;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? "";
  const long = text.startsWith(quote.repeat(3), start);
  const close = long ? quote.repeat(3) : quote;
  let at = start + close.length;
  while (at < text.length && !text.startsWith(close, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  // Up to two quotes may stand right before the closing three.
  if (long) while (text[at + 3] === quote) at += 1;
  return at + close.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function skipBlank(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (/[ \t\r\n]/.test(text[at] ?? "")) at += 1;
    if (text[at] !== "#") return at;
    while (at < text.length && text[at] !== "\n") at += 1;
  }
}

/** A basic string's escapes are JSON's, and `\U`, `\e` and `\x`; a key with one of those is left as it is. */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
