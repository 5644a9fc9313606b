import { isDeepStrictEqual } from "node:util";
import { isMap, isSeq, type Node } from "yaml";
import { applyChange, type Change, type Range } from "./text.ts";
import { valueAt } from "./yaml.ts";
import {
  contentEnd,
  isOurItem,
  isYamlFault,
  lineAt,
  parseYaml,
  withEntries,
  type YamlText,
  yamlEntries,
} from "./yaml-tree.ts";

export interface YamlPlace {
  readonly at: readonly string[];
  readonly ours: readonly string[];
}

/**
 * Takes out every entry whose command is one of ours, its lines included, and the keys that say nothing without
 * it. Null when the text does not parse. An entry that cannot be taken out alone stays.
 */
export function removeYamlEntries(
  text: string,
  place: YamlPlace,
): { readonly text: string; readonly changes: readonly Change[] } | null {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const changes: Change[] = [];
  let rest = text;
  for (;;) {
    const body = rest.slice(bom);
    const parsed = parseYaml(body);
    if (isYamlFault(parsed)) return null;
    const range = removal(body, parsed, place);
    if (range === null) return { text: rest, changes };
    const change = { at: range.start + bom, removed: range.end - range.start, text: "" };
    rest = applyChange(rest, change);
    changes.push(change);
  }
}

/** True when two documents mean the same, lists and sections that hold nothing left aside. */
export function sameYaml(a: string, b: string, at: readonly string[]): boolean {
  const [left, right] = [parseYaml(a), parseYaml(b)];
  if (isYamlFault(left) || isYamlFault(right)) return false;
  return isDeepStrictEqual(meaning(left, at), meaning(right, at));
}

function meaning({ value }: YamlText, at: readonly string[]): unknown {
  return withEntries(value, at, yamlEntries(value, at) ?? []);
}

function removal(text: string, parsed: YamlText, { at, ours }: YamlPlace): Range | null {
  const entries = yamlEntries(parsed.value, at) ?? [];
  const index = entries.findIndex((entry) => isOurItem(entry, ours));
  if (index < 0) return null;
  const range = rangeOf(text, parsed, at, index);
  if (range === null) return null;
  const after = parseYaml(text.slice(0, range.start) + text.slice(range.end));
  const others = entries.filter((_, i) => i !== index);
  const wanted = withEntries(parsed.value, at, others);
  return !isYamlFault(after) && isDeepStrictEqual(meaning(after, at), wanted) ? range : null;
}

/** The entry; when it is the last, the list's key with it, and the section's when that held nothing else. */
function rangeOf(text: string, { document }: YamlText, at: readonly string[], index: number): Range | null {
  const [section = "", name = ""] = at;
  const root = document.contents as Node | null;
  const outer = isMap(root) ? valueAt(root, section) : undefined;
  const inner = isMap(outer?.value) ? valueAt(outer.value, name) : undefined;
  const list = inner?.value;
  const item = isSeq(list) ? (list.items[index] as Node | undefined) : undefined;
  if (outer === undefined || inner === undefined || !isSeq(list) || item?.range == null) return null;
  if (list.flow === true) return flowRange(text, { start: item.range[0], end: item.range[1] });
  const only = list.items.length === 1;
  const alone = only && isMap(outer.value) && outer.value.items.length === 1;
  const first = alone ? outer.key : only ? inner.key : item;
  const from = lineAt(text, first.range?.[0] ?? 0).start;
  const to = lineAt(text, contentEnd(text, item)).end;
  const tail = /^\r?\n/.exec(text.slice(to))?.[0].length ?? 0;
  return { start: from, end: to + tail };
}

/** With its comma: the one behind it, else the one before it. */
function flowRange(text: string, { start, end }: Range): Range {
  const behind = /^\s*,\s*/.exec(text.slice(end))?.[0].length;
  if (behind !== undefined) return { start, end: end + behind };
  const before = /,\s*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  return { start: start - before, end };
}
