const most = 64;

/**
 * Brace expansion on the source text of a word, before anything else happens to it, as bash does it:
 * `a{b,c}` → `ab ac`, `{1..3}` → `1 2 3`. Quoted braces and `${…}` stay. At most 64 results.
 */
export function expandBraces(source: string): string[] {
  const group = firstGroup(source, 0);
  if (group === null) return [source];
  const before = source.slice(0, group.start);
  const rest = expandBraces(source.slice(group.end));
  const results: string[] = [];
  for (const choice of group.choices.flatMap(expandBraces)) {
    for (const tail of rest) {
      results.push(before + choice + tail);
      if (results.length >= most) return results;
    }
  }
  return results;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

function firstGroup(source: string, from: number): Group | null {
  for (let at = from; at < source.length; at = skip(source, at)) {
    if (source[at] !== "{" || source[at - 1] === "$") continue;
    const group = groupAt(source, at);
    if (group !== null) return group;
  }
  return null;
}

function groupAt(source: string, start: number): Group | null {
  const choices: string[] = [];
  let depth = 0;
  let piece = start + 1;
  for (let at = start + 1; at < source.length; at = skip(source, at)) {
    const char = source[at];
    if (char === "{") depth++;
    else if (char === "," && depth === 0) {
      choices.push(source.slice(piece, at));
      piece = at + 1;
    } else if (char === "}" && depth-- === 0) {
      const last = source.slice(piece, at);
      if (choices.length > 0) return { start, end: at + 1, choices: [...choices, last] };
      const range = rangeOf(last);
      return range === null ? null : { start, end: at + 1, choices: range };
    }
  }
  return null;
}

/** Index after the character at `at`, or after the quoted or substituted part that starts there. */
function skip(source: string, at: number): number {
  const char = source[at];
  if (char === "\\") return at + 2;
  if (char === "'") return after(source, "'", at + 1);
  if (char === '"') return afterDouble(source, at + 1);
  if (char === "`") return after(source, "`", at + 1);
  if (char === "$" && (source[at + 1] === "{" || source[at + 1] === "(")) return afterNested(source, at + 1);
  return at + 1;
}

function after(source: string, close: string, from: number): number {
  const end = source.indexOf(close, from);
  return end < 0 ? source.length : end + 1;
}

function afterDouble(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === '"') return at + 1;
  }
  return source.length;
}

function afterNested(source: string, open: number): number {
  const closer = source[open] === "{" ? "}" : ")";
  let depth = 0;
  for (let at = open; at < source.length; at++) {
    if (source[at] === source[open]) depth++;
    else if (source[at] === closer && --depth === 0) return at + 1;
  }
  return source.length;
}

function rangeOf(body: string): string[] | null {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(body);
  if (numbers !== null) {
    return steps(Number(numbers[1]), Number(numbers[2]), Number(numbers[3] ?? 1)).map(String);
  }
  const letters = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d{1,9}))?$/.exec(body);
  if (letters === null) return null;
  const from = letters[1]?.charCodeAt(0) ?? 0;
  const to = letters[2]?.charCodeAt(0) ?? 0;
  return steps(from, to, Number(letters[3] ?? 1)).map((code) => String.fromCharCode(code));
}

function steps(from: number, to: number, by: number): number[] {
  const step = Math.max(1, Math.abs(by)) * (from <= to ? 1 : -1);
  const results: number[] = [];
  for (let n = from; step > 0 ? n <= to : n >= to; n += step) {
    results.push(n);
    if (results.length >= most) break;
  }
  return results;
}
