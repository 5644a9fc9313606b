import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from "yaml";
import { list } from "../../core/read.ts";
import type { Plain } from "./toml-tree.ts";

/** Why a document cannot be read, and where. */
export interface YamlFault {
  readonly offset: number;
  readonly words: string;
}

/** A YAML text with its tree; `root` is null when it holds blanks and comments at most. */
export interface YamlText {
  readonly text: string;
  readonly root: Node | null;
  readonly value: unknown;
}

/** Parses one document without its BOM. More than one document is a fault: an agent reads only the first. */
export function parseYaml(text: string): YamlText | YamlFault {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return { offset: error.pos[0], words: plainWords(error.message) };
  const root = document.contents;
  const blank =
    root === null || (isScalar(root) && root.value === null && sourceOf(text, root).trim() === "");
  return { text, root: blank ? null : root, value: document.toJS({ maxAliasCount: 1000 }) };
}

export function isYamlFault(parsed: YamlText | YamlFault): parsed is YamlFault {
  return "offset" in parsed;
}

/** The pair of a map under a plain key. */
export function pairNamed(map: YAMLMap, key: string): Pair<unknown, unknown> | null {
  return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key) ?? null;
}

/** Where a node's own text begins and ends. */
export function rangeOf(node: Node): { readonly start: number; readonly end: number } {
  const [start = 0, end = start] = node.range ?? [];
  return { start, end };
}

/** True for a value that stands for nothing: `key:` with nothing behind it. */
export function isAbsent(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null && !node.source);
}

/** Why a node cannot be added to; null when it can. */
export function shared(node: Node): string | null {
  if (isAlias(node)) return "stands for a value written elsewhere (an alias)";
  if ((isMap(node) || isSeq(node)) && node.anchor !== undefined) return "is used again elsewhere (an anchor)";
  return null;
}

/** Offset of the first character of the line. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where something new can stand on a line of its own behind `end`: `lead` is what has to come first. */
export function lineBehind(text: string, end: number, newline: string): { at: number; lead: string } {
  if (end > 0 && text[end - 1] === "\n") return { at: end, lead: "" };
  const rest = /^[^\r\n]*(\r\n|\n|\r|$)/.exec(text.slice(end))?.[0] ?? "";
  const at = end + rest.length;
  return /[\r\n]$/.test(rest) ? { at, lead: "" } : { at, lead: newline };
}

/** The tables at a path; null where something else stands there. An absent one is an empty list. */
export function yamlEntries(value: unknown, at: readonly string[]): readonly unknown[] | null {
  let node: unknown = value;
  for (const key of at) {
    if (node === null || node === undefined) return [];
    if (typeof node !== "object" || Array.isArray(node)) return null;
    node = (node as Record<string, unknown>)[key];
  }
  if (node === null || node === undefined) return [];
  return Array.isArray(node) ? list(node) : null;
}

/** Lines of a map, the first one without its indent. */
export function writeItem(value: Plain, indent: string, newline: string): string {
  return Object.entries(value)
    .map(([key, item]) => `${writeKey(key)}: ${writePlain(item)}`)
    .join(`${newline}${indent}`);
}

export function writeFlow(value: Plain): string {
  const pairs = Object.entries(value).map(([key, item]) => `${writeKey(key)}: ${writePlain(item)}`);
  return `{ ${pairs.join(", ")} }`;
}

export function writeKey(key: string): string {
  return /^[A-Za-z][\w-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key)
    ? key
    : JSON.stringify(key);
}

/** Texts are always quoted, so that no reader takes one for a number, a date or a word of YAML's own. */
function writePlain(item: string | number | boolean): string {
  if (typeof item !== "string") return String(item);
  const literal = /["\\]/.test(item) && !/['\p{Cc}\u2028\u2029\u0085]/u.test(item);
  return literal ? `'${item}'` : JSON.stringify(item);
}

function sourceOf(text: string, node: Node): string {
  const { start, end } = rangeOf(node);
  return text.slice(start, end);
}

function plainWords(message: string): string {
  return message.split("\n")[0] ?? message;
}
