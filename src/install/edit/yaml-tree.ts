import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  Scalar,
} from "yaml";
import { isDict, list, text as textOf } from "../../core/read.ts";
import type { Range } from "./text.ts";

/** Why a document cannot be read, and where. */
export interface YamlFault {
  readonly offset: number;
  readonly words: string;
}

export interface YamlText {
  readonly document: Document.Parsed;
  readonly value: unknown;
}

/** Reads a file without its BOM that holds one document or none; several cannot be edited safely. */
export function parseYaml(text: string): YamlText | YamlFault {
  const documents = parseAllDocuments(text, { logLevel: "silent" });
  const list = Array.isArray(documents) ? documents : [];
  if (list.length > 1) return { offset: list[1]?.range[0] ?? 0, words: "several documents in one file" };
  const [document] = list.length === 0 ? parseAllDocuments("null\n") : list;
  if (document === undefined) return { offset: 0, words: "unclear" };
  const [fault] = document.errors;
  if (fault !== undefined) {
    return { offset: fault.pos[0], words: fault.message.split("\n")[0]?.replace(/ at line.*/, "") ?? "" };
  }
  try {
    return { document, value: list.length === 0 ? null : document.toJS({ maxAliasCount: 1000 }) };
  } catch (error) {
    return { offset: 0, words: error instanceof Error ? error.message : String(error) };
  }
}

export function isYamlFault(parsed: YamlText | YamlFault): parsed is YamlFault {
  return "offset" in parsed;
}

/** The entries of `section.list`; null where something else stands there. An absent one is an empty list. */
export function yamlEntries(
  value: unknown,
  [section = "", name = ""]: readonly string[],
): readonly unknown[] | null {
  if (value === null || value === undefined) return [];
  if (!isDict(value)) return null;
  const inner = value[section] ?? {};
  if (!isDict(inner)) return null;
  const entries = inner[name] ?? [];
  return Array.isArray(entries) ? list(entries) : null;
}

/** The value with another list there; what is empty or null is left out, as it says nothing. */
export function withEntries(
  value: unknown,
  [section = "", name = ""]: readonly string[],
  entries: readonly unknown[],
): unknown {
  const { [section]: inner, ...rest } = isDict(value) ? value : {};
  const { [name]: _, ...others } = isDict(inner) ? inner : {};
  const kept = Object.fromEntries(Object.entries(others).filter(([, item]) => item !== null));
  const full = entries.length === 0 ? kept : { ...kept, [name]: entries };
  return Object.keys(full).length === 0 ? rest : { ...rest, [section]: full };
}

/** True when one of the entry's own values is one of our commands, as a whole. */
export function isOurItem(entry: unknown, ours: readonly string[]): boolean {
  return isDict(entry) && Object.values(entry).some((value) => ours.includes(textOf(value) ?? ""));
}

/** Where the last letter of a node's own text ends, without blank lines and comments behind it. */
export function contentEnd(text: string, node: Node): number {
  const end = node.range?.[1] ?? 0;
  if (isScalar(node) && (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED)) {
    return text.slice(0, end).trimEnd().length;
  }
  if (!isCollection(node) || node.flow === true) return end;
  if (isSeq(node)) {
    const last = node.items.at(-1) as Node | null | undefined;
    return last == null || last.range == null ? end : contentEnd(text, last);
  }
  const last = isMap(node) ? node.items.at(-1) : undefined;
  const value = last?.value as Node | null | undefined;
  const inner = hasText(value) ? value : (last?.key as Node | undefined);
  return inner === undefined ? end : contentEnd(text, inner);
}

/** A value left out has a node of no length. */
export function hasText(node: Node | null | undefined): node is Node {
  return node?.range != null && node.range[1] > node.range[0];
}

/** The line that an offset lies in, without its end. */
export function lineAt(text: string, offset: number): Range {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const last = end < 0 ? text.length : end;
  return { start, end: text[last - 1] === "\r" && last > start ? last - 1 : last };
}
