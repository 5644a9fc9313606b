import { anyOne, anyRun, fits, type GlobName, type GlobSegment, setSize, type Token } from "./glob.ts";

/**
 * How much two globs that can name the same path agree on literally: the number of characters both
 * spell out at the same place, in segments of `pattern` from `from` on. Null when no path fits both.
 * A dot counts only at the start of a name, so that `*.*` agrees with nothing.
 *
 * @param hidden wildcards of `glob` also match a leading dot, which a shell's do not.
 * @param tree `glob` may also stop at a parent directory of what `pattern` names, if it spells out
 *   some of that parent's name.
 */
export function agreement(
  glob: readonly GlobSegment[],
  pattern: readonly GlobSegment[],
  options: Options,
): number | null {
  // Most pairs begin with names that are spelled out, of which the first that differs decides.
  const most = Math.min(glob.length, pattern.length) - 1;
  let score = 0;
  let same = 0;
  for (; same < most; same++) {
    const [left, right] = [glob[same], pattern[same]];
    if (!isLiteral(left) || !isLiteral(right)) break;
    if (left.text !== right.text) return null;
    if (same >= options.from) score += spelledOutIn(left);
  }
  if (same === 0) return aligned(glob, pattern, options);
  const from = Math.max(0, options.from - same);
  const rest = aligned(glob.slice(same), pattern.slice(same), { ...options, from });
  return rest === null ? null : score + rest;
}

interface Options {
  readonly from: number;
  readonly hidden: boolean;
  readonly tree: boolean;
}

function isLiteral(segment: GlobSegment | undefined): segment is GlobName & { readonly text: string } {
  return segment !== undefined && segment !== "**" && segment.text !== null;
}

/** Characters that a name and itself agree on. */
function spelledOutIn({ tokens }: GlobName): number {
  return tokens.filter((token, at) => token !== "." || at === 0).length;
}

function aligned(
  glob: readonly GlobSegment[],
  pattern: readonly GlobSegment[],
  options: Options,
): number | null {
  const width = pattern.length + 1;
  let next: Row = new Array<number | null>(width).fill(null);
  for (let at = glob.length; at >= 0; at--) {
    const row: Row = new Array<number | null>(width).fill(null);
    for (let to = pattern.length; to >= 0; to--) {
      row[to] = best(glob[at], pattern[to], { row, next, at, to });
    }
    next = row;
  }
  return next[0] ?? null;

  function best(left: GlobSegment | undefined, right: GlobSegment | undefined, cell: Cell): number | null {
    const { row, next, to } = cell;
    if (left === undefined && right === undefined) return 0;
    let found: number | null = null;
    if (right === "**")
      found = larger(found, larger(row[to + 1] ?? null, left === undefined ? null : next[to]));
    if (left === "**")
      found = larger(found, larger(next[to] ?? null, right === undefined ? null : row[to + 1]));
    if (left === undefined || right === undefined || left === "**" || right === "**") return found;
    const here = nameAgreement(left, right, options.hidden);
    if (here === null) return found;
    const score = to >= options.from ? here : 0;
    const rest = next[to + 1] ?? null;
    const stops = options.tree && cell.at === glob.length - 1 && score > 0;
    return larger(found, rest === null ? (stops ? score : null) : score + rest);
  }
}

type Row = (number | null)[];

interface Cell {
  readonly row: Row;
  readonly next: Row;
  readonly at: number;
  readonly to: number;
}

/** The same for one name: characters spelled out by both, or null when no name fits both. */
function nameAgreement(leftName: GlobName, rightName: GlobName, hidden: boolean): number | null {
  const left = leftName.tokens;
  const right = rightName.tokens;
  if (rightName.text !== null) {
    if (leftName.text !== null) return leftName.text === rightName.text ? spelledOutIn(leftName) : null;
    // `*` alone names everything but what is hidden, and spells nothing out.
    if (left.length === 1 && left[0] === anyRun) return right[0] === "." && !hidden ? null : 0;
  }
  let next: Row = [];
  for (let at = left.length; at >= 0; at--) {
    const row: Row = new Array<number | null>(right.length + 1).fill(null);
    for (let to = right.length; to >= 0; to--) {
      const ours = left[at];
      const theirs = right[to];
      if (ours === undefined && theirs === undefined) {
        row[to] = 0;
        continue;
      }
      let found: number | null = null;
      if (ours === anyRun) found = larger(found, next[to]);
      if (theirs === anyRun) found = larger(found, row[to + 1]);
      if (ours !== undefined && theirs !== undefined) {
        found = larger(found, step(ours, theirs, { row, next, at, to }, hidden));
      }
      row[to] = found;
    }
    next = row;
  }
  const found = next[0] ?? null;
  return found === 1 && onlyItsDotAgrees(left) ? 0 : found;
}

/** `.*.swp` spells out a name of another kind: that both begin with a dot makes it no `.env.*`. */
function onlyItsDotAgrees(tokens: readonly Token[]): boolean {
  return tokens[0] === "." && tokens.some((token) => token !== "." && isSpelledOut(token));
}

/** Both sides take one character at this place. */
function step(ours: Token, theirs: Token, cell: Cell, hidden: boolean): number | null {
  const { row, next, at, to } = cell;
  if (to === 0 && theirs === "." && !hidden && (at > 0 || isWild(ours))) return null;
  if (!compatible(ours, theirs)) return null;
  let rest = next[to + 1] ?? null;
  if (ours === anyRun) rest = larger(rest, row[to + 1]);
  if (theirs === anyRun) rest = larger(rest, next[to]);
  if (rest === null) return null;
  const counts = isSpelledOut(ours) && isSpelledOut(theirs) && (ours !== "." || at === 0);
  return rest + (counts ? 1 : 0);
}

/** `[Ee]` spells a letter out, `[a-z]` does not. */
function isSpelledOut(token: Token): boolean {
  if (typeof token === "string") return true;
  return !isWild(token) && setSize(token) <= 3;
}

function isWild(token: Token): boolean {
  return token === anyRun || token === anyOne;
}

function compatible(ours: Token, theirs: Token): boolean {
  if (typeof theirs === "string") return fits(ours, theirs);
  if (typeof ours === "string") return fits(theirs, ours);
  // Two sets, or a set and a wildcard: taken to overlap, the careful answer.
  return true;
}

function larger(one: number | null, other: number | null | undefined): number | null {
  if (one === null) return other ?? null;
  if (other === null || other === undefined) return one;
  return Math.max(one, other);
}
