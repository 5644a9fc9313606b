/** A piece of text that Holdfast put into a file. Offsets count UTF-16 units of the decoded file, BOM included. */
export interface Span {
  readonly start: number;
  readonly text: string;
}

/** A stretch of a text: from `start` (included) to `end` (excluded). */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** One replacement in a text: `removed` units at `at` give way to `text`. */
export interface Change {
  readonly at: number;
  readonly removed: number;
  readonly text: string;
}

/** A file's text that encodes back to exactly the bytes it came from. */
export interface Decoded {
  readonly text: string;
  readonly encoding: "utf8" | "latin1";
}

/** Decodes UTF-8 with its BOM kept; bytes that are no UTF-8 come out one unit per byte. */
export function decode(bytes: Buffer): Decoded {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, encoding: "utf8" };
  } catch {
    return { text: bytes.toString("latin1"), encoding: "latin1" };
  }
}

export function encode(text: string, encoding: Decoded["encoding"]): Buffer {
  return Buffer.from(text, encoding);
}

export function applyChange(text: string, change: Change): string {
  return text.slice(0, change.at) + change.text + text.slice(change.at + change.removed);
}

/**
 * Follows our spans through one more change of ours. An insertion inside or beside a span makes it longer; a
 * replacement inside a span changes it. A replacement that reaches beyond a span makes that span untraceable
 * and drops it.
 */
export function trackSpans(spans: readonly Span[], change: Change, after: string): Span[] {
  const shift = change.text.length - change.removed;
  const changeEnd = change.at + change.removed;
  const inserting = change.removed === 0 && change.text !== "";
  let own: Range = { start: change.at, end: change.at + (inserting ? change.text.length : 0) };
  const kept: Range[] = [];
  for (const span of spans) {
    const end = span.start + span.text.length;
    const before = inserting ? end < change.at : end <= change.at;
    const behind = inserting ? span.start > change.at : span.start >= changeEnd;
    if (before) kept.push({ start: span.start, end });
    else if (behind) kept.push({ start: span.start + shift, end: end + shift });
    else if (span.start <= change.at && changeEnd <= end) {
      own = { start: Math.min(own.start, span.start), end: Math.max(own.end, end + shift) };
    }
  }
  const all = own.end > own.start ? [...kept, own] : kept;
  return all
    .sort((a, b) => a.start - b.start)
    .map((range) => ({ start: range.start, text: after.slice(range.start, range.end) }));
}

/**
 * Finds every span in a text that may have changed around it: at its recorded place, else where its text
 * stands exactly once. Null when one of them is not found.
 */
export function locate(spans: readonly Span[], text: string): Range[] | null {
  const found: Range[] = [];
  for (const span of spans) {
    const start = placeOf(span, text);
    if (start === null) return null;
    found.push({ start, end: start + span.text.length });
  }
  const ordered = found.sort((a, b) => a.start - b.start);
  const overlap = ordered.some((range, i) => i > 0 && range.start < (ordered[i - 1]?.end ?? 0));
  return overlap ? null : ordered;
}

function placeOf(span: Span, text: string): number | null {
  if (span.text === "") return null;
  if (text.startsWith(span.text, span.start)) return span.start;
  const first = text.indexOf(span.text);
  return first >= 0 && text.indexOf(span.text, first + 1) < 0 ? first : null;
}

/** Takes ranges out of a text. They must not overlap. */
export function cut(text: string, ranges: readonly Range[]): string {
  let rest = "";
  let from = 0;
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    rest += text.slice(from, range.start);
    from = range.end;
  }
  return rest + text.slice(from);
}

/** Line and column of an offset, both from 1. A BOM is not counted. */
export function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(text.startsWith("\uFEFF") ? 1 : 0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}

/** The line ending the text already uses; `\n` where it has none. */
export function newlineOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
}
