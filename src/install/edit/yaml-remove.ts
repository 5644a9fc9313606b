import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, type Node, type YAMLSeq } from "yaml";
import { applyChange, type Change, type Range } from "./text.ts";
import { isOurTable } from "./toml-tree.ts";
import { withList } from "./yaml.ts";
import {
  isYamlFault,
  lineStart,
  pairNamed,
  parseYaml,
  rangeOf,
  type YamlText,
  yamlEntries,
} from "./yaml-tree.ts";

export interface YamlPlace {
  readonly at: readonly string[];
  readonly ours: readonly string[];
  /** Keys of `at` that existed before us. Emptied ones beyond are removed with the entry. */
  readonly keysBefore: number;
}

/**
 * Takes out every entry whose command is one of ours, and the keys that were created for it and are empty now.
 * Null when the text does not parse. An entry that cannot be taken out alone stays.
 */
export function removeYamlEntries(
  text: string,
  place: YamlPlace,
): { readonly text: string; readonly changes: readonly Change[] } | null {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const changes: Change[] = [];
  let rest = text;
  for (;;) {
    const parsed = parseYaml(rest.slice(bom));
    if (isYamlFault(parsed)) return null;
    const found = removal(parsed, place);
    if (found === null) return { text: rest, changes };
    const change = { at: found.start + bom, removed: found.end - found.start, text: "" };
    rest = applyChange(rest, change);
    changes.push(change);
  }
}

/** True when two documents mean the same. */
export function sameYaml(a: string, b: string): boolean {
  const [left, right] = [parseYaml(a), parseYaml(b)];
  return !isYamlFault(left) && !isYamlFault(right) && isDeepStrictEqual(left.value, right.value);
}

function removal(parsed: YamlText, { at, ours, keysBefore }: YamlPlace): Range | null {
  const entries = yamlEntries(parsed.value, at) ?? [];
  const index = entries.findIndex((entry) => isOurTable(entry, ours));
  const way = index < 0 ? null : wayTo(parsed.root, at);
  if (way === null) return null;
  const item = way.list.items[index] as Node | undefined;
  if (item === undefined) return null;
  const others = entries.filter((_, i) => i !== index);
  const range =
    way.list.flow === true
      ? elementRange(parsed.text, rangeOf(item))
      : others.length > 0
        ? linesOf(parsed.text, rangeOf(item))
        : emptied(parsed.text, way, rangeOf(item), keysBefore);
  const after = parseYaml(parsed.text.slice(0, range.start) + parsed.text.slice(range.end));
  if (isYamlFault(after)) return null;
  const left = withList(after.value, at, yamlEntries(after.value, at) ?? []);
  return isDeepStrictEqual(left, withList(parsed.value, at, others)) ? range : null;
}

interface Way {
  readonly list: YAMLSeq;
  /** Per key of the path: where its pair stands, and how many pairs are beside it. */
  readonly pairs: readonly (Range & { readonly siblings: number })[];
}

function wayTo(root: Node | null, at: readonly string[]): Way | null {
  const pairs: (Range & { siblings: number })[] = [];
  let node: unknown = root;
  for (const key of at) {
    if (!isMap(node)) return null;
    const pair = pairNamed(node, key);
    if (pair === null || !isScalar(pair.key)) return null;
    const value = pair.value as Node;
    pairs.push({ start: rangeOf(pair.key).start, end: rangeOf(value).end, siblings: node.items.length - 1 });
    node = value;
  }
  return isSeq(node) ? { list: node, pairs } : null;
}

/** The last entry goes with the keys that were made for it. */
function emptied(text: string, { pairs }: Way, item: Range, keysBefore: number): Range {
  let range = linesOf(text, item);
  for (let depth = pairs.length - 1; depth >= keysBefore; depth--) {
    const pair = pairs[depth];
    if (pair === undefined) break;
    range = linesOf(text, pair);
    if (pair.siblings > 0) break;
  }
  return range;
}

/** Whole lines, from the one the node begins on to the one it ends on. */
function linesOf(text: string, { start, end }: Range): Range {
  const from = lineStart(text, start);
  if (end > from && text[end - 1] === "\n") return { start: from, end };
  const tail = /^[^\r\n]*(\r\n|\n|\r|$)/.exec(text.slice(end))?.[0] ?? "";
  return { start: from, end: end + tail.length };
}

/** With its comma: the one behind it, else the one before it. */
function elementRange(text: string, { start, end }: Range): Range {
  const behind = /^\s*,[ \t]*/.exec(text.slice(end))?.[0];
  const before = /,?\s*$/.exec(text.slice(0, start))?.[0] ?? "";
  if (before.startsWith(",")) return { start: start - before.length, end };
  return { start, end: end + (behind?.length ?? 0) };
}
