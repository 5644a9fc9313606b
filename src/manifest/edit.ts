import { isDeepStrictEqual } from "node:util";
import {
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type Problem, problem } from "../core/problem.ts";
import type { Settings } from "../core/settings.ts";
import { type Field, quoteIfNeeded } from "./field.ts";
import { loadManifest } from "./load.ts";
import { type SectionName, sections } from "./schema.ts";
import { manifestTemplate } from "./template.ts";

type FieldValue<F> = F extends Field<infer T> ? T : never;
type Keys<S extends SectionName> = (typeof sections)[S]["keys"];

/** Values for some keys of the manifest, in the manifest's own shape. */
export type Answers = {
  readonly [S in SectionName]?: { readonly [K in keyof Keys<S>]?: FieldValue<Keys<S>[K]> };
};

/** The new text of a manifest, or why it has to be edited by hand. */
export type Edited =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: Problem };

/**
 * Sets values in a manifest. With `text` null a fresh one is written with every key and its comment.
 * In an existing one each value is replaced, or each missing key inserted, on its own: every byte outside
 * the changed values stays, comments, order, line endings and byte order mark included. A list written
 * line by line keeps its lines: entries that go are taken out, new ones are put below. Values that are
 * already in force change nothing. The result is read back before it is returned; a text that would not
 * mean what was asked is never handed out.
 */
export function editManifest(text: string | null, answers: Answers, file: string): Edited {
  if (text === null) return { text: manifestTemplate(answers), problem: null };
  const before = read(text, file);
  if (before.settings === null) return refused(file, "it does not parse", before.problems[0]?.cause ?? "");
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  let edited = text.slice(bom.length);
  let wanted: Settings = before.settings;
  for (const [section, key, value] of entries(answers)) {
    const next = applied(wanted, section, key, value, file);
    if (sameMeaning(next, wanted)) continue;
    wanted = next;
    edited = setValue(edited, section, key, field(section, key).write(value), value);
  }
  const after = read(edited, file);
  if (!isDeepStrictEqual(after.settings, wanted))
    return refused(file, "its layout is one Holdfast cannot edit safely", "");
  return { text: bom + edited, problem: null };
}

/** What the settings become with one value set: asked of the loader itself, so that both always agree. */
function applied(
  settings: Settings,
  section: SectionName,
  key: string,
  value: unknown,
  file: string,
): Settings {
  const alone = read(`${section}:\n  ${key}: ${field(section, key).write(value)}\n`, file).settings;
  const name = key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const own = name === "timeout" ? "timeoutMs" : name;
  return {
    ...settings,
    [section]: { ...settings[section], [own]: ({ ...alone?.[section] } as Record<string, unknown>)[own] },
  };
}

/** Equal settings; the order of patterns and repeats have no meaning. */
function sameMeaning(a: Settings, b: Settings): boolean {
  const plain = ({ protect, ...rest }: Settings): unknown => ({
    ...rest,
    protect: {
      ...protect,
      paths: [...new Set(protect.paths)].sort(),
      except: [...new Set(protect.except)].sort(),
    },
  });
  return isDeepStrictEqual(plain(a), plain(b));
}

function setValue(text: string, section: SectionName, key: string, written: string, value: unknown): string {
  const root = parseDocument(text, { uniqueKeys: false }).contents;
  const eol = /\r\n/.test(text) ? "\r\n" : "\n";
  const line = `${key}:${written === "" ? "" : ` ${written}`}`;
  if (!isMap(root)) return `${endLine(text, eol)}${section}:${eol}  ${line}${eol}`;
  const outer = pairOf(root, section);
  if (outer === null && root.flow === true) return addToBraces(text, root, `${section}: { ${line} }`);
  if (outer === null) return `${endLine(text, eol)}${eol}${section}:${eol}  ${line}${eol}`;
  if (!isMap(outer.value)) return isEmpty(outer.value) ? below(text, outer, `  ${line}`, eol) : text;
  const inner = pairOf(outer.value, key);
  if (inner !== null) return replaceValue(text, inner, written, value, eol);
  return outer.value.flow === true
    ? addToBraces(text, outer.value, line)
    : addLine(text, outer.value, line, eol);
}

function replaceValue(text: string, pair: Pair, written: string, value: unknown, eol: string): string {
  const node = pair.value;
  if (isSeq(node) && node.flow !== true && Array.isArray(value) && value.length > 0) {
    return editLines(text, node, value.map(String), eol);
  }
  const [start, end] = spanOf(node);
  if (start === end) {
    const colon = colonAfter(text, pair);
    return `${text.slice(0, colon)} ${written}${text.slice(colon)}`;
  }
  // A list written line by line is replaced from its key on: its own indentation may be that of the key.
  const from = isSeq(node) && node.flow !== true ? colonAfter(text, pair) : start;
  const space = from === start ? "" : " ";
  const newline = text.slice(start, end).endsWith("\n") ? eol : "";
  return `${text.slice(0, from)}${space}${written}${newline}${text.slice(end)}`;
}

/** Takes lines out of a block list and puts new ones below its last entry. */
function editLines(text: string, list: YAMLSeq, wanted: readonly string[], eol: string): string {
  const items = list.items.map((item) => ({
    value: isScalar(item) ? String(item.value) : null,
    span: spanOf(item),
  }));
  const missing = wanted.filter((entry) => !items.some((item) => item.value === entry));
  const last = items.at(-1);
  let edited = text;
  if (last !== undefined && missing.length > 0) {
    const indent = text.slice(lineStart(text, spanOf(list)[0]), spanOf(list)[0]);
    const at = lineEnd(text, last.span[1]);
    const lines = missing.map((entry) => `${eol}${indent}- ${quoteIfNeeded(entry)}`).join("");
    edited = text.slice(0, at) + lines + text.slice(at);
  }
  for (const item of items.toReversed()) {
    if (item.value !== null && wanted.includes(item.value)) continue;
    edited = edited.slice(0, lineStart(edited, item.span[0])) + edited.slice(afterLine(edited, item.span[1]));
  }
  return edited;
}

/** A new last line in a block map, indented as its first key is. */
function addLine(text: string, map: YAMLMap, line: string, eol: string): string {
  const first = spanOf(map)[0];
  const indent = " ".repeat(first - lineStart(text, first));
  const last = map.items.at(-1);
  const end = last === undefined || isEmpty(last.value) ? colonAfter(text, last) : spanOf(last.value)[1];
  if (text[end - 1] === "\n") return `${text.slice(0, end)}${indent}${line}${eol}${text.slice(end)}`;
  const at = lineEnd(text, end);
  return `${text.slice(0, at)}${eol}${indent}${line}${text.slice(at)}`;
}

/** The first line below a key that has nothing yet. */
function below(text: string, pair: Pair, line: string, eol: string): string {
  const at = lineEnd(text, colonAfter(text, pair));
  return `${text.slice(0, at)}${eol}${line}${text.slice(at)}`;
}

function addToBraces(text: string, map: YAMLMap, entry: string): string {
  const last = map.items.at(-1);
  if (last === undefined) {
    const open = spanOf(map)[0] + 1;
    return `${text.slice(0, open)} ${entry}${text.slice(open).replace(/^(?=\})/, " ")}`;
  }
  const end = isEmpty(last.value) ? colonAfter(text, last) : spanOf(last.value)[1];
  return `${text.slice(0, end)}, ${entry}${text.slice(end)}`;
}

function pairOf(map: YAMLMap, key: string): Pair | null {
  return map.items.findLast((pair) => isScalar(pair.key) && pair.key.value === key) ?? null;
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null && node.source === "");
}

function spanOf(node: unknown): readonly [number, number] {
  const range = (node as Partial<Node> | null)?.range;
  return range ? [range[0], range[1]] : [0, 0];
}

function colonAfter(text: string, pair: Pair | undefined): number {
  return text.indexOf(":", spanOf(pair?.key)[1]) + 1;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** Where the line ends, before its line break. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function afterLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function endLine(text: string, eol: string): string {
  return text === "" || text.endsWith("\n") ? text : text + eol;
}

function* entries(answers: Answers): Generator<[SectionName, string, unknown]> {
  for (const [section, keys] of Object.entries(answers)) {
    for (const [key, value] of Object.entries(keys)) yield [section as SectionName, key, value];
  }
}

function field(section: SectionName, key: string): Field<unknown> {
  const keys: Readonly<Record<string, Field<unknown>>> = sections[section].keys;
  const found = keys[key];
  if (found === undefined) throw new TypeError(`no key ${section}.${key}`);
  return found;
}

function read(text: string, file: string): ReturnType<typeof loadManifest> {
  return loadManifest(new TextEncoder().encode(text), file);
}

function refused(file: string, why: string, cause: string): Edited {
  const message = `${file} is left as it is: ${why}`;
  const hint = "Change the values by hand, then run the command again.";
  return { text: null, problem: problem("HF301", message, { hint, cause, where: { file } }) };
}
