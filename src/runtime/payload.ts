import { causeOf, type Problem, problem } from "../core/problem.ts";
import { skim } from "./skim.ts";

export { isCut } from "../core/cut.ts";

/** What an agent sent on stdin. */
export interface Payload {
  /**
   * What it says: usually one document; two when an object names a key twice, so that the reading of
   * parsers that take the last one and of those that take the first are both judged; none when there
   * is nothing to judge.
   */
  readonly documents: readonly unknown[];
  /** Size as sent. */
  readonly bytes: number;
  /** Set when it was not JSON as it should be, or parts were left out. What could be read still is. */
  readonly problem: Problem | null;
}

/**
 * Reads a hook payload. Never throws, and takes bounded time and memory for any bytes: above
 * `mostParsed` bytes, and when it does not parse, it is skimmed (see `skim`), which cuts long texts.
 */
export function readPayload(bytes: Buffer): Payload {
  if (bytes.length > mostParsed) return skimmed(bytes, bytes.length, null);
  const text = decoded(bytes);
  if (text.length > mostOpened && opensTooOften(text)) return skimmed(Buffer.from(text), bytes.length, null);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return skimmed(Buffer.from(text), bytes.length, causeOf(error));
  }
  if (isDeepOrRepeats(value, text)) return skimmed(Buffer.from(text), bytes.length, null);
  return { documents: [value], bytes: bytes.length, problem: null };
}

/** Bytes that are handed to JSON.parse at most. */
const mostParsed = 4 * 1024 * 1024;
/** Brackets and braces in a large text; a million nested ones take JSON.parse half a second. */
const mostOpened = 50_000;
/** Deeper values go to the skimmer, which keeps their top, so that no later recursion can overflow. */
const deepest = 128;

function decoded(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = bytes.toString(isUtf16 ? "utf16le" : "utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/**
 * Is it nested too deeply, or does an object name a key twice? Asked of every call in a fresh process,
 * where only native code is quick: text that JSON.stringify gives back as it was repeats nothing, nor
 * does text with no more `":` in it than there are keys. Only the rest is read letter by letter.
 */
function isDeepOrRepeats(value: unknown, text: string): boolean {
  const keys = countKeys(value);
  if (keys === null) return true;
  if (JSON.stringify(value) === text || (text.match(/"\s*:/g)?.length ?? 0) === keys) return false;
  return keysWritten(text) !== keys;
}

/** How many keys a parsed value holds; null when it is nested too deeply. */
function countKeys(value: unknown): number | null {
  let count = 0;
  let level: object[] = isContainer(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return null;
    const below: object[] = [];
    for (const container of level) {
      const values: unknown[] = Object.values(container);
      if (!Array.isArray(container)) count += values.length;
      for (const item of values) if (isContainer(item)) below.push(item);
    }
    level = below;
  }
  return count;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function opensTooOften(text: string): boolean {
  const open = /[[{]/g;
  let left = mostOpened;
  while (left > 0 && open.test(text)) left--;
  return left === 0;
}

/** How many keys valid JSON text spells out, repeated ones included: texts followed by a colon. */
function keysWritten(text: string): number {
  let count = 0;
  let start = text.indexOf('"');
  while (start >= 0) {
    let after = closingQuote(text, start + 1) + 1;
    while (text.charCodeAt(after) <= 0x20) after++;
    if (text.charCodeAt(after) === 0x3a) count++;
    start = text.indexOf('"', after);
  }
  return count;
}

function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

function skimmed(bytes: Buffer, size: number, cause: string | null): Payload {
  const last = skim(bytes, "last");
  const documents: unknown[] = last.value === undefined ? [] : [last.value];
  if (last.duplicates) documents.push(skim(bytes, "first").value);
  return { documents, bytes: size, problem: problemOf(size, last.damage ?? cause, last.gaps) };
}

function problemOf(size: number, damage: string | null, gaps: boolean): Problem | null {
  const hint = "holdfast doctor";
  if (size === 0) return problem("HF809", "the agent sent nothing", { hint });
  if (damage !== null) {
    return problem("HF809", "the agent sent something that is not JSON", { hint, cause: damage });
  }
  if (!gaps) return null;
  const message = "the agent sent more than is looked at, so parts were left out";
  return problem("HF810", message, { hint, severity: "warning", cause: `${size} bytes` });
}
