import { parse as parseBash, type Script } from "unbash";
import { limits } from "./limits.ts";
import { parsePlain } from "./plain.ts";

export type * from "unbash";

export type Parsed =
  | { readonly ok: true; readonly script: Script; readonly broken: boolean }
  | { readonly ok: false; readonly reason: string };

/**
 * Parses a bash command line. Text that does not parse gives the part that does, `broken: true`;
 * text too large or too deep to look at gives a reason. Never throws.
 */
export function parseShell(text: string): Parsed {
  if (text.length > limits.length) return { ok: false, reason: "it is longer than 64 KiB" };
  if (tooMany(text, "<<", limits.heredocs)) return { ok: false, reason: "it has too many here-documents" };
  if (text.length > limits.words && !text.includes("<<") && manyWords(text))
    return { ok: false, reason: "it has too many words" };
  if (tooMany(text, "$(", limits.substitutions))
    return { ok: false, reason: "it has too many substitutions" };
  if (tooMany(text, "(", limits.open) && opensTooDeep(text)) return { ok: false, reason: nestedTooDeep };
  const plain = parsePlain(text);
  if (plain !== null) return { ok: true, script: plain, broken: false };
  const script = parseBash(text);
  const errors = script.errors ?? [];
  if (errors.some((error) => error.message.includes("nest"))) {
    return { ok: false, reason: nestedTooDeep };
  }
  return { ok: true, script, broken: errors.length > 0 };
}

const nestedTooDeep = "it is nested too deeply";

/** The parser takes quadratic time for substitutions in substitutions. Quotes are not told apart: text in them is balanced. */
function opensTooDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(/[()]/g)) {
    depth = Math.max(0, depth + (sign === "(" ? 1 : -1));
    if (depth > limits.open) return true;
  }
  return false;
}

/** Start of the text that a broken parse left unread, after the token it stumbled on; null when it read all. */
export function restAfterError(text: string, script: Script): number | null {
  const errors =
    (script as { errors?: readonly { readonly message: string; readonly pos: number }[] }).errors ?? [];
  const first = errors.find((error) => error.message.startsWith("unexpected token"));
  if (first === undefined) return afterOpenQuote(text, errors);
  const token = /^\s*(?:[;&|(){}<>!]+|\w+)?/.exec(text.slice(first.pos, first.pos + 64));
  const next = first.pos + Math.max(1, token?.[0].length ?? 1);
  return next < text.length ? next : null;
}

const longestRough = 2000;

/** The commands that can be made out in broken text, without what is quoted but for plain words; none in long text. */
export function roughCommands(text: string): string[] {
  if (text.length > longestRough) return [];
  const plain = text.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/gs, (quoted) =>
    /^.[\w./=-]+.$/.test(quoted) ? quoted.slice(1, -1) : "''",
  );
  return plain
    .split(/[;&|\n(){}`]+|\[\[|\]\]|\b(?:then|do|else)\b(?=\s)/)
    .map((part) => part.replace(/^[\s!$]+/, ""))
    .filter((part) => /^[\w./~-]+\s+\S/.test(part) && !/["']/.test(part.replaceAll("''", "")))
    .slice(0, 32);
}

/** Behind a quote that never closes, the next command may be meant all the same. */
function afterOpenQuote(
  text: string,
  errors: readonly { readonly message: string; readonly pos: number }[],
): number | null {
  const open = errors.find(
    (error) => /unterminated|unclosed/i.test(error.message) && /quote/i.test(error.message),
  );
  if (open === undefined) return null;
  const next = text.slice(open.pos).search(/[;&|\n]/);
  return next < 0 || open.pos + next + 1 >= text.length ? null : open.pos + next + 1;
}

function manyWords(text: string): boolean {
  const plain = text.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g, "");
  return (plain.match(/[\s;&|<>()]+/g)?.length ?? 0) > limits.words;
}

function tooMany(text: string, part: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    if (++count > most) return true;
  }
  return false;
}
