import { isDeepStrictEqual } from "node:util";
import { applyChange, type Change, type Range } from "./text.ts";
import { type EntryPlace, placeOfEntry, plain, replaced } from "./toml.ts";
import { entriesAt, isOurTable, isTomlFault, parseToml } from "./toml-tree.ts";

export interface TomlPlace {
  readonly at: readonly string[];
  readonly ours: readonly string[];
}

/**
 * Takes out every table whose command is one of ours, also where the agent has written the file anew. Null when
 * the text does not parse. A table that cannot be taken out alone stays.
 */
export function removeTomlEntries(
  text: string,
  place: TomlPlace,
): { readonly text: string; readonly changes: readonly Change[] } | null {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const changes: Change[] = [];
  let rest = text;
  for (;;) {
    const found = removal(rest.slice(bom), place);
    if (found === "fault") return null;
    if (found === null) return { text: rest, changes };
    const change = { at: found.start + bom, removed: found.end - found.start, text: "" };
    rest = applyChange(rest, change);
    changes.push(change);
  }
}

/** True when two documents mean the same. */
export function sameToml(a: string, b: string): boolean {
  const [left, right] = [parseToml(a), parseToml(b)];
  return (
    !isTomlFault(left) && !isTomlFault(right) && isDeepStrictEqual(plain(left.value), plain(right.value))
  );
}

function removal(text: string, { at, ours }: TomlPlace): Range | "fault" | null {
  const parsed = parseToml(text);
  if (isTomlFault(parsed)) return "fault";
  const entries = entriesAt(parsed.value, at) ?? [];
  const index = entries.findIndex((entry) => isOurTable(entry, ours));
  const place = index < 0 ? null : placeOfEntry(text, at, index);
  if (place === null) return null;
  const range = place.kind === "inline" ? elementRange(text, place.range) : blockRange(text, place.range);
  const after = parseToml(text.slice(0, range.start) + text.slice(range.end));
  const others = entries.filter((_, i) => i !== index);
  return !isTomlFault(after) && matches(after.value, parsed.value, at, others) ? range : null;
}

/** The last `[[…]]` takes its key along; an emptied pair of brackets stays. */
function matches(
  after: unknown,
  before: unknown,
  at: readonly string[],
  others: readonly unknown[],
): boolean {
  const left = entriesAt(after, at) ?? [];
  return (
    isDeepStrictEqual(plain(left), plain(others)) &&
    isDeepStrictEqual(plain(replaced(after, at, [])), plain(replaced(before, at, [])))
  );
}

/** Whole lines, and the blank line that set the table apart: before it, or behind it at the top of the file. */
function blockRange(text: string, { start, end }: Range): Range {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const blank = /(?:^|\n)([ \t]*\r?\n)$/.exec(text.slice(0, lineStart))?.[1] ?? "";
  const behind = lineStart === 0 ? /^[ \t]*(\r?\n[ \t]*){0,2}/ : /^[ \t]*(\r\n|\n|\r|$)/;
  const tail = behind.exec(text.slice(end))?.[0] ?? "";
  return { start: lineStart - blank.length, end: end + tail.length };
}

/** With its comma: the one behind it, else the one before it. */
function elementRange(text: string, element: EntryPlace["range"]): Range {
  const before = /[ \t\r\n]*$/.exec(text.slice(0, element.start))?.[0] ?? "";
  if (element.comma != null) return { start: element.start - before.length, end: element.comma + 1 };
  const comma = /,[ \t\r\n]*$/.exec(text.slice(0, element.start))?.[0] ?? "";
  return { start: element.start - (comma.length || before.length), end: element.end };
}
