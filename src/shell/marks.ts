/**
 * Text in which some characters stand for something that is not known before the command runs.
 * Private-use code points carry the marks, so that marked text can be joined, cut and even parsed
 * like any other text; `withoutMarks` keeps them out of what comes from outside.
 */

/** Unknown text that may well be empty: a variable nobody set, a missing argument. */
export const HOLE = "\uE000";
/** Unknown text that is hardly empty: the output of a program. */
export const SOME = "\uE001";
/** An active `*`, `?` and `[` of a glob. */
export const STAR = "\uE002";
export const ONE = "\uE003";
export const BRACKET = "\uE004";
/** Any number of folders, as in `find`'s results. */
export const DEEP = "\uE005";
/** A file chosen by a test other than its name (age, size): any name, but not every file. */
export const FEW = "\uE007";
/** Unknown text that came from the network, or out of a decoder. */
export const FETCHED = "\uE008";
export const DECODED = "\uE009";
/** A working directory that could not be followed. */
export const NOWHERE = "\uE006";

const marks = /[\uE000-\uE009]/;
const globMarks = /[\uE002-\uE005\uE007]/;
const unknownMarks = /[\uE000\uE001\uE006\uE008\uE009]/;

/** What `pgrep` and `pidof` print: processes picked by name. */
export const PID_BY_NAME = `${SOME}:by-name`;

/** What `docker ps -aq` prints. */
export const EVERY_CONTAINER = `${SOME}:container`;

/** What `redis-cli keys` prints. */
export const EVERY_KEY = `${SOME}:key`;

/** Input with every code point that could be mistaken for a mark replaced. */
export function withoutMarks(text: string): string {
  return marks.test(text) ? text.replace(/[\uE000-\uE009]/g, "\uFFFD") : text;
}

/** What stands in front of pasted text and cannot be seen: byte order marks, widthless signs, what moves a cursor. */
const unprinted =
  /^(?:\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_c=>]|[\0-\x08\v\f\x0e-\x1f\x7f-\xa0\xad\u061c\u115f\u1160\u17b4\u17b5\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff]|[\ufe00-\ufe0f])+/;

/** Text without what cannot be seen in front of it. */
export function withoutUnprinted(text: string): string {
  const first = text.charCodeAt(0);
  return first > 0x20 && first < 0x7f ? text : text.replace(unprinted, "");
}

const moves = /([;&|\n(]|^)([^\S\n]*)(?:\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\))+/g;

/** A script without what moves the cursor in front of its commands: signs in there would be read as its own. */
export function withoutMoves(text: string): string {
  return text.includes("\x1b") ? text.replace(moves, "$1$2") : text;
}

/** True when the text is certain to the last character. */
export function isKnown(text: string): boolean {
  return !marks.test(text);
}

export function hasGlob(text: string): boolean {
  return globMarks.test(text);
}

export function hasUnknown(text: string): boolean {
  return unknownMarks.test(text);
}

/** True when nothing but unknown text is there. */
export function isOpaque(text: string): boolean {
  return text !== "" && /^[\s\uE000\uE001\uE008\uE009]+$/.test(text) && unknownMarks.test(text);
}

/** `[a-z]`, and `[!.]`: all but some. */
const anyLetter = /\uE004(?:[!^][^\]a-z]+|[^\]]*a-z[^\]]*)\]/gi;

/** True when the text, or a part that may be empty, says nothing about the name: `*`, `.*`, `?*`, `$x`. */
export function isBroad(segment: string): boolean {
  return marks.test(segment) && /^[.\uE000-\uE009]*$/.test(segment.replace(anyLetter, ONE));
}

/** As a shell glob: unknown parts read as `*`, plain signs are escaped. Text without marks stays as it is. */
export function asGlob(text: string): string {
  if (!marks.test(text)) return text;
  return text
    .replace(/[*?[{]/g, "\\$&")
    .replace(/[\uE000-\uE002\uE007-\uE009]+/g, "*")
    .replaceAll(ONE, "?")
    .replaceAll(BRACKET, "[")
    .replaceAll(DEEP, "**")
    .replaceAll(NOWHERE, "…");
}

/** For people. */
export function show(text: string): string {
  if (!marks.test(text)) return text;
  return text
    .replace(/[\uE000\uE001\uE008\uE009]+(?::(?:by-name|container|key)\b)?/g, "…")
    .replace(/[\uE002\uE007]/g, "*")
    .replaceAll(ONE, "?")
    .replaceAll(BRACKET, "[")
    .replaceAll(DEEP, "**")
    .replaceAll(NOWHERE, "(unknown directory)");
}

/** As it would have been typed as plain text: glob marks become their characters, unknowns stay. */
export function literally(text: string): string {
  if (!globMarks.test(text)) return text;
  return text.replaceAll(STAR, "*").replaceAll(ONE, "?").replaceAll(BRACKET, "[").replaceAll(DEEP, "**");
}

/** Reads plain text as a glob, as `find -name` and other programs do with an argument. */
export function globbed(text: string): string {
  return text.replaceAll("**", DEEP).replaceAll("*", STAR).replaceAll("?", ONE).replaceAll("[", BRACKET);
}

/** The names that a marked word may come to. */
export function shapeOf(word: string): RegExp {
  const shape = word
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replace(/[\uE004][^\]]*\]/g, ".")
    .replace(/[\uE000-\uE002\uE005\uE007-\uE009]+/g, ".*")
    .replaceAll("\uE003", ".");
  return new RegExp(`^${shape}$`);
}

/** Does the index of an array in this text hold a substitution? */
export function runsInIndex(text: string): boolean {
  const at = text.indexOf("[");
  return at >= 0 && (text.includes("$(", at) || text.includes("`", at));
}
