import { parse, TomlError } from "smol-toml";
import { isDict, text as textOf } from "../../core/read.ts";

/** Why a document cannot be read, and where. */
export interface TomlFault {
  readonly offset: number;
  readonly words: string;
}

export type Plain = Readonly<Record<string, string | number | boolean>>;

/** The value of a document without its BOM, or why it has none. */
export function parseToml(text: string): { readonly value: unknown } | TomlFault {
  try {
    return { value: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const words = error.message.split("\n")[0] ?? "";
    const lines = text.split("\n").slice(0, error.line - 1);
    const start = lines.reduce((sum, line) => sum + line.length + 1, 0);
    return { offset: Math.min(text.length, start + error.column - 1), words: plainWords(words) };
  }
}

export function isTomlFault(parsed: { readonly value: unknown } | TomlFault): parsed is TomlFault {
  return "offset" in parsed;
}

/** The tables at a path; null where something else stands there. An absent one is an empty list. */
export function entriesAt(value: unknown, at: readonly string[]): readonly unknown[] | null {
  let node: unknown = value;
  for (const key of at) {
    if (!isDict(node)) return null;
    if (node[key] === undefined) return [];
    node = node[key];
  }
  return Array.isArray(node) && node.every(isDict) ? node : null;
}

/** True when one of the entry's own values is one of our commands, as a whole. */
export function isOurTable(entry: unknown, ours: readonly string[]): boolean {
  return isDict(entry) && Object.values(entry).some((value) => ours.includes(textOf(value) ?? ""));
}

/** Lines of a table, in the order of its keys. */
export function writeLines(value: Plain, newline: string): string {
  return Object.entries(value)
    .map(([key, item]) => `${writeKey(key)} = ${writePlain(item)}`)
    .join(newline);
}

/** An inline table on one line. */
export function writeInline(value: Plain): string {
  const pairs = Object.entries(value).map(([key, item]) => `${writeKey(key)} = ${writePlain(item)}`);
  return `{ ${pairs.join(", ")} }`;
}

export function writeHeader(at: readonly string[]): string {
  return `[[${at.map(writeKey).join(".")}]]`;
}

function writeKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** A literal string reads best where backslashes and quotes abound. */
function writePlain(item: string | number | boolean): string {
  if (typeof item !== "string") return String(item);
  const literal = /["\\]/.test(item) && !/['\p{Cc}]/u.test(item);
  return literal ? `'${item}'` : JSON.stringify(item);
}

function plainWords(message: string): string {
  return message.replace(/^Invalid TOML document: /, "");
}
