import { cutMark } from "../core/cut.ts";

/** What a damaged or oversized JSON text holds, as far as it was looked at. */
export interface Skimmed {
  /** Undefined when there is no object or list in it. */
  readonly value: unknown;
  /** Some object names a key twice. */
  readonly duplicates: boolean;
  /** Keys or items were left out; the containers carry the mark. */
  readonly gaps: boolean;
  /** Not JSON: something was passed over, or the end is missing. */
  readonly damage: string | null;
}

/** Bytes kept of a text, and of a key. */
export const longestText = 256 * 1024;
const longestKey = 1024;
/** Bytes of a number or word that are looked at. */
const longestScalar = 400;
const deepest = 128;
/** Values kept below one key of the outermost object, so that no key starves those after it. */
const mostValues = 100_000;
/** The same one level down, where a tool's arguments stand. */
const mostBelow = 20_000;
/** Keys of the outermost object; agents send a handful. */
const mostKeys = 10_000;

/**
 * Reads JSON the forgiving way, in one pass over the bytes and without ever building more than a few
 * megabytes: long texts are cut, very deep or very long containers lose their rest, garbage between
 * values is passed over, and a missing end just ends. Time grows with the bytes, whatever they are.
 *
 * @param wins which value counts when an object names a key twice.
 */
export function skim(bytes: Buffer, wins: "first" | "last"): Skimmed {
  const skimmer = new Skimmer(bytes, wins);
  const value = skimmer.outermost();
  const { duplicates, gaps, damage } = skimmer;
  return { value, duplicates, gaps, damage };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

class Skimmer {
  duplicates = false;
  gaps = false;
  damage: string | null = null;
  readonly #bytes: Buffer;
  readonly #wins: "first" | "last";
  #at = 0;
  #left = mostValues;
  #keysLeft = mostKeys;

  constructor(bytes: Buffer, wins: "first" | "last") {
    this.#bytes = bytes;
    this.#wins = wins;
  }

  outermost(): unknown {
    if (this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf) this.#at = 3;
    const byte = this.#skipBlanks();
    if (byte !== openBrace && byte !== openBracket) this.#broken("it does not start with an object");
    if (byte < 0 || !this.#skipToContainer()) return undefined;
    const value = this.#value(0);
    if (this.#skipBlanks() >= 0) this.#broken("something follows its end");
    return value;
  }

  #value(depth: number): unknown {
    const byte = this.#skipBlanks();
    this.#left--;
    if (byte === quote) return this.#text(longestText);
    if (byte !== openBrace && byte !== openBracket) return this.#scalar();
    this.#at++;
    if (depth < deepest) return byte === openBrace ? this.#object(depth) : this.#list(depth);
    this.gaps = true;
    this.#skipRest();
    return cutMark;
  }

  #object(depth: number): unknown {
    const found: Record<string, unknown> = Object.create(null);
    for (;;) {
      const byte = this.#skipBlanks();
      if (byte < 0) return this.#ended(found);
      if (depth > 0 ? this.#left <= 0 : this.#keysLeft <= 0) {
        found[cutMark] = true;
        this.gaps = true;
        this.#skipRest();
        return found;
      }
      if (byte === quote) this.#entry(found, depth);
      else this.#at++;
      if (byte === closeBrace) return found;
      if (byte !== quote && byte !== comma) this.#skipGarbage();
    }
  }

  #entry(found: Record<string, unknown>, depth: number): void {
    if (depth === 0) this.#keysLeft--;
    const key = this.#text(longestKey);
    if (this.#skipBlanks() !== colon) {
      this.#broken("a key has no value");
      this.#left--;
      return;
    }
    this.#at++;
    const value = this.#rationed(depth);
    const isKnown = key in found;
    if (isKnown) this.duplicates = true;
    if (value !== undefined && (!isKnown || this.#wins === "last")) found[key] = value;
  }

  /** A value of an outer object, which leaves enough for the keys after it. */
  #rationed(depth: number): unknown {
    if (depth > 1) return this.#value(depth + 1);
    const before = depth === 0 ? mostValues : this.#left;
    const ration = depth === 0 ? before : Math.min(mostBelow, before);
    this.#left = ration;
    const value = this.#value(depth + 1);
    this.#left = before - ration + Math.max(0, this.#left);
    return value;
  }

  #list(depth: number): unknown {
    const found: unknown[] = [];
    for (;;) {
      const byte = this.#skipBlanks();
      if (byte < 0) return this.#ended(found);
      if (this.#left <= 0) {
        found.push(cutMark);
        this.gaps = true;
        this.#skipRest();
        return found;
      }
      if (byte === comma || byte === closeBracket) this.#at++;
      if (byte === closeBracket) return found;
      if (byte === comma) continue;
      const value = this.#value(depth + 1);
      if (value !== undefined) found.push(value);
    }
  }

  /** Reads a text from its opening quote; the end of the bytes ends it too. */
  #text(longest: number): string {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    const limit = Math.min(start + longest, bytes.length);
    let at = start;
    let isPlain = true;
    while (at < limit && bytes[at] !== quote) {
      if (bytes[at] === backslash) {
        isPlain = false;
        at++;
      }
      at++;
    }
    while (at >= limit && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
    const isLong = at >= limit && at < bytes.length && bytes[at] !== quote;
    const end = Math.min(at, bytes.length);
    if (isLong) at = afterText(bytes, at) - 1;
    if (at >= bytes.length) this.#broken("it ends in the middle");
    this.#at = Math.min(at + 1, bytes.length);
    const text = bytes.toString("utf8", start, end);
    return (isPlain ? text : unescaped(text)) + (isLong ? cutMark : "");
  }

  #scalar(): unknown {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    while (at < bytes.length && !endsScalar(bytes[at] ?? 0)) at++;
    this.#at = at === start ? at + 1 : at;
    const word = bytes.toString("latin1", start, Math.min(at, start + longestScalar));
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    const number = /^-?\d/.test(word) ? Number.parseFloat(word) : Number.NaN;
    if (!Number.isNaN(number)) return number;
    this.#broken("a value is none of JSON's");
    return undefined;
  }

  #skipToContainer(): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && bytes[at] !== openBrace && bytes[at] !== openBracket) at++;
    this.#at = at;
    return at < bytes.length;
  }

  /** Passes over what cannot start a key; commas and blanks in between do no harm. */
  #skipGarbage(): void {
    this.#broken("a key is not a text");
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && bytes[at] !== quote && bytes[at] !== closeBrace) at++;
    this.#at = at;
  }

  /** Passes over everything up to the end of the container that the position is inside of. */
  #skipRest(): void {
    const bytes = this.#bytes;
    const length = bytes.length;
    let depth = 1;
    let at = this.#at;
    while (at < length) {
      const byte = bytes[at++] ?? 0;
      if (byte > closeBrace || (byte < openBracket && byte !== quote)) continue;
      if (byte === quote) at = afterText(bytes, at);
      else if (byte === openBrace || byte === openBracket) depth++;
      else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) break;
    }
    if (depth > 0) this.#broken("it ends in the middle");
    this.#at = Math.min(at, length);
  }

  /** The next byte that is no blank, without taking it; -1 at the end. */
  #skipBlanks(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && isBlank(bytes[at] ?? 0)) at++;
    this.#at = at;
    return bytes[at] ?? -1;
  }

  #ended<T>(found: T): T {
    this.#broken("it ends in the middle");
    return found;
  }

  #broken(how: string): void {
    this.damage ??= `${how}, near byte ${this.#at}`;
  }
}

/** Index after the quote that closes the text, or past the end. */
function afterText(bytes: Buffer, from: number): number {
  const length = bytes.length;
  let at = from;
  while (at < length) {
    const byte = bytes[at++];
    if (byte === quote) return at;
    if (byte === backslash) at++;
  }
  return length + 1;
}

function isBlank(byte: number): boolean {
  return byte <= 0x20 && (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0);
}

function endsScalar(byte: number): boolean {
  const isPunctuation = byte === comma || byte === closeBrace || byte === closeBracket || byte === colon;
  return isPunctuation || byte === quote || byte === openBrace || byte === openBracket || isBlank(byte);
}

const shorthands: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Resolves escapes; an unknown one stands for its letter, as lenient parsers read it. */
function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|u[0-9a-fA-F]{0,3}$|(.))/gs,
    (_, code?: string, letter?: string) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return letter === undefined ? "" : (shorthands[letter] ?? letter);
    },
  );
}
