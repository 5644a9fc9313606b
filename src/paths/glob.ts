import { fold } from "./fold.ts";

/** One character of a glob: itself, a run of any (`*`), any one (`?`), or one of a set (`[...]`). */
export type Token = string | typeof anyRun | typeof anyOne | CharSet;
export const anyRun = Symbol("*");
export const anyOne = Symbol("?");

interface CharSet {
  readonly negated: boolean;
  /** Inclusive ranges of code points. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** One path segment of a glob; `**` stands for any number of segments. */
export type GlobSegment = "**" | GlobName;

export interface GlobName {
  readonly tokens: readonly Token[];
  /** The name itself when nothing in it is special, else null. */
  readonly text: string | null;
  /** What every matching name starts and ends with. */
  readonly head: string;
  readonly tail: string;
}

/**
 * A matcher for relative paths written with `/`. Knows `*`, `?`, `**`, `[...]` and `{a,b}`; case and
 * look-alikes are ignored (see `fold`). Anything that does not parse stands for itself; never throws.
 * Time grows with pattern × path at worst.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const globs = compileGlob(pattern);
  return (path) => {
    const parts = fold(path).split("/");
    return globs.some((glob) => matchesPath(glob, parts));
  };
}

/** The alternatives of a glob (one unless it has braces), each as segments. */
export function compileGlob(pattern: string): GlobSegment[][] {
  return expandBraces(pattern).map((one) =>
    splitSegments(one)
      .filter((part) => part !== "" && part !== ".")
      .map((part) => (part === "**" ? "**" : globName(part))),
  );
}

/** Does the glob match the folded segments from first to last? A trailing `**` also matches nothing. */
export function matchesPath(glob: readonly GlobSegment[], parts: readonly string[]): boolean {
  return walk(
    glob.length,
    parts.length,
    (at) => glob[at] === "**",
    (at, to) => {
      const segment = glob[at];
      const part = parts[to];
      return segment !== undefined && segment !== "**" && part !== undefined && matchesName(segment, part);
    },
  );
}

/** Does one segment of a glob match one folded name? */
export function matchesName(name: GlobName, part: string): boolean {
  if (name.text !== null) return name.text === part;
  if (!part.startsWith(name.head) || !part.endsWith(name.tail)) return false;
  const { tokens } = name;
  const chars = asciiOnly.test(part) ? part : [...part];
  return walk(
    tokens.length,
    chars.length,
    (at) => tokens[at] === anyRun,
    (at, to) => {
      const token = tokens[at];
      const char = chars[to];
      return token !== undefined && char !== undefined && fits(token, char);
    },
  );
}

const asciiOnly = /^[\x00-\x7f]*$/;

/** Can the token stand for this character? */
export function fits(token: Token, char: string): boolean {
  if (typeof token === "string") return token === char;
  return typeof token === "object" ? inSet(token, char) : true;
}

/** How many characters a set holds; endless for a negated one. */
export function setSize(token: Token): number {
  if (typeof token !== "object") return token === anyRun || token === anyOne ? Number.POSITIVE_INFINITY : 1;
  if (token.negated) return Number.POSITIVE_INFINITY;
  return token.ranges.reduce((size, [low, high]) => size + Math.max(0, high - low + 1), 0);
}

/** A folded name in which nothing is special. */
export function literalName(folded: string): GlobName {
  return { tokens: [...folded], text: folded, head: folded, tail: folded };
}

/**
 * Matches a row of patterns, some of which stand for any number of items, against a row of items.
 * Only the last such pattern is ever reconsidered, which is enough and keeps it from blowing up.
 */
function walk(
  patterns: number,
  items: number,
  isRun: (at: number) => boolean,
  same: (at: number, to: number) => boolean,
): boolean {
  let at = 0;
  let to = 0;
  let run = -1;
  let resume = 0;
  while (to < items) {
    if (at < patterns && isRun(at)) {
      run = at++;
      resume = to;
    } else if (at < patterns && same(at, to)) {
      at++;
      to++;
    } else if (run >= 0) {
      at = run + 1;
      to = ++resume;
    } else return false;
  }
  while (at < patterns && isRun(at)) at++;
  return at === patterns;
}

const maxAlternatives = 128;
/** Longer than any path a system takes. */
const maxExpanded = 4096;

function expandBraces(pattern: string): string[] {
  if (pattern.length > maxExpanded || !pattern.includes(",")) return [pattern];
  let done = [pattern];
  for (let round = 0; round < maxAlternatives; round++) {
    const at = done.findIndex((text) => firstGroup(text) !== null);
    const text = done[at];
    const group = text === undefined ? null : firstGroup(text);
    if (text === undefined || group === null) return done;
    const grown = group.parts.map((part) => text.slice(0, group.from) + part + text.slice(group.to));
    if (done.length + grown.length > maxAlternatives) return done;
    done = [...done.slice(0, at), ...grown, ...done.slice(at + 1)];
  }
  return done;
}

/** The first `{a,b}` with its parts; groups without a comma stand for themselves. */
function firstGroup(text: string): { from: number; to: number; parts: string[] } | null {
  for (let from = text.indexOf("{"); from >= 0; from = text.indexOf("{", from + 1)) {
    const group = groupAt(text, from);
    if (group !== null && group.parts.length > 1) return group;
  }
  return null;
}

function groupAt(text: string, from: number): { from: number; to: number; parts: string[] } | null {
  const parts: string[] = [];
  let start = from + 1;
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (char === "[") at = Math.max(at, classEnd(text, at) - 1);
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      parts.push(text.slice(start, at));
      start = at + 1;
    } else if (char === "}" && --depth === 0) {
      parts.push(text.slice(start, at));
      return { from, to: at + 1, parts };
    }
  }
  return null;
}

function splitSegments(text: string): string[] {
  if (!text.includes("[")) return text.split("/");
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "[") at = Math.max(at, classEnd(text, at) - 1);
    if (text[at] !== "/") continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  parts.push(text.slice(start));
  return parts;
}

function globName(part: string): GlobName {
  if (!/[*?[]/.test(part)) return literalName(fold(part));
  const found = tokens(part);
  const isSpecial = (token: Token) => typeof token !== "string";
  const first = found.findIndex(isSpecial);
  if (first < 0) return literalName(found.join(""));
  const last = found.findLastIndex(isSpecial);
  return {
    tokens: found,
    text: null,
    head: found.slice(0, first).join(""),
    tail: found.slice(last + 1).join(""),
  };
}

function tokens(part: string): Token[] {
  const found: Token[] = [];
  let literal = 0;
  for (let at = 0; at < part.length; at++) {
    const char = part[at];
    const end = char === "*" || char === "?" ? at + 1 : char === "[" ? classEnd(part, at) : 0;
    if (end === 0) continue;
    found.push(...fold(part.slice(literal, at)));
    if (char === "[") found.push(charSet(part.slice(at + 1, end - 1)));
    else if (char === "?") found.push(anyOne);
    else if (found.at(-1) !== anyRun) found.push(anyRun);
    literal = end;
    at = end - 1;
  }
  found.push(...fold(part.slice(literal)));
  return found;
}

/** Index after the `]` that closes the set opened at `at`; 0 when it is not a set. */
function classEnd(text: string, at: number): number {
  setForm.lastIndex = at;
  return setForm.test(text) ? setForm.lastIndex : 0;
}

const setForm = /\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]/])*\]/gy;

function charSet(inside: string): CharSet {
  const negated = inside.startsWith("!") || inside.startsWith("^");
  const ranges: [number, number][] = [];
  const plain = inside.slice(negated ? 1 : 0).replace(/\[:([a-z]+):\]/g, (whole, name: string) => {
    const named = namedSets[name];
    if (named !== undefined) ranges.push(...named);
    return named === undefined ? whole : "";
  });
  const chars = [...plain];
  for (let at = 0; at < chars.length; at++) {
    const isRange = chars[at + 1] === "-" && at + 2 < chars.length;
    const low = codePoint(fold(chars[at] ?? ""));
    const high = isRange ? codePoint(fold(chars[at + 2] ?? "")) : low;
    ranges.push([low, high]);
    if (isRange) at += 2;
  }
  return { negated, ranges };
}

const digits: [number, number] = [48, 57];
const letters: [number, number] = [97, 122];
const namedSets: Readonly<Record<string, [number, number][]>> = {
  alpha: [letters],
  lower: [letters],
  upper: [letters],
  digit: [digits],
  xdigit: [digits, [97, 102]],
  alnum: [letters, digits],
  word: [letters, digits, [95, 95]],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  space: [
    [9, 13],
    [32, 32],
  ],
};

function inSet(set: CharSet, char: string): boolean {
  const code = codePoint(char);
  return set.ranges.some(([low, high]) => code >= low && code <= high) !== set.negated;
}

function codePoint(text: string): number {
  return text.codePointAt(0) ?? -1;
}
