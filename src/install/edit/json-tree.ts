import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { type Dict, isDict } from "../../core/read.ts";

/** JSON text, BOM stripped, with its parse tree. `root` is null for a file of blanks and comments only. */
export interface JsonText {
  readonly text: string;
  readonly root: Node | null;
}

export interface JsonFault {
  readonly offset: number;
  readonly words: string;
}

/** Parses JSON with comments and trailing commas; offsets of nodes and faults count from the text's start. */
export function parseJson(text: string): JsonText | JsonFault {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true }) ?? null;
    const first = errors[0];
    if (first !== undefined) return { offset: first.offset, words: wordsOf(first) };
    return root !== null && isTooDeep(root) ? tooDeep : { text, root };
  } catch {
    // The parser recurses; the stack ends before the text does.
    return tooDeep;
  }
}

const tooDeep: JsonFault = { offset: 0, words: "nested too deeply" };
const maxDepth = 400;

function isTooDeep(root: Node): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((node) => node.children ?? []);
  }
  return false;
}

export function isFault(parsed: JsonText | JsonFault): parsed is JsonFault {
  return "offset" in parsed;
}

function wordsOf(error: ParseError): string {
  return printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
}

/** The value as a program that reads the file sees it: of repeated keys the last one counts. */
export function readValue(parsed: JsonText): unknown {
  return parsed.root === null ? undefined : nodeValue(parsed.root);
}

/** A node's value in ordinary objects; the parser's own have no prototype and compare as different. */
export function nodeValue(node: Node): unknown {
  return JSON.parse(JSON.stringify(getNodeValue(node)));
}

export function childrenOf(node: Node): readonly Node[] {
  return node.children ?? [];
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

/** All properties of an object with this key, in order of the text. The agent reads the last one. */
export function propertiesNamed(object: Node, key: string): Node[] {
  if (object.type !== "object") return [];
  return childrenOf(object).filter((property) => childrenOf(property)[0]?.value === key);
}

export function propertyValue(property: Node): Node | null {
  return childrenOf(property)[1] ?? null;
}

/** The node at a path of object keys, the last of repeated keys taken; null where the way ends early. */
export function nodeAt(root: Node | null, at: readonly string[]): Node | null {
  let node = root;
  for (const key of at) {
    const property = node === null ? undefined : propertiesNamed(node, key).at(-1);
    node = property === undefined ? null : propertyValue(property);
  }
  return node;
}

/** True when some object at or below the value has one of the commands as the whole text of a property. */
export function mentions(value: unknown, commands: readonly string[]): boolean {
  if (typeof value === "string") return commands.includes(value);
  if (Array.isArray(value)) return value.some((item) => mentions(item, commands));
  return isDict(value) && Object.values(value as Dict).some((item) => mentions(item, commands));
}

/** A comma or comment between two values, or before a closing bracket. */
export interface Piece {
  readonly kind: "comma" | "line-comment" | "block-comment";
  readonly start: number;
  readonly end: number;
}

/** Commas and comments in a stretch of text that holds nothing else but blanks. */
export function piecesBetween(text: string, start: number, end: number): Piece[] {
  const pieces: Piece[] = [];
  let at = start;
  while (at < end) {
    const two = text.slice(at, at + 2);
    const piece =
      two === "//" ? lineComment(text, at, end) : two === "/*" ? blockComment(text, at, end) : null;
    if (piece !== null) {
      pieces.push(piece);
      at = piece.end;
    } else {
      if (text[at] === ",") pieces.push({ kind: "comma", start: at, end: at + 1 });
      at += 1;
    }
  }
  return pieces;
}

function lineComment(text: string, start: number, limit: number): Piece {
  const length = /^[^\r\n]*/.exec(text.slice(start, limit))?.[0].length ?? 0;
  return { kind: "line-comment", start, end: start + length };
}

function blockComment(text: string, start: number, limit: number): Piece {
  const close = text.indexOf("*/", start + 2);
  return { kind: "block-comment", start, end: close < 0 ? limit : Math.min(close + 2, limit) };
}

/** Offset of the first character of the line that holds `offset`. */
export function lineStart(text: string, offset: number): number {
  if (offset === 0) return 0;
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

/** The blanks at the start of the line that holds `offset`. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

/** True when nothing but blanks stands before `offset` on its line. */
export function opensLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start + indentAt(text, offset).length === offset;
}
