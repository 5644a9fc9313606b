import { numberOf, visitArithmetic } from "./arithmetic.ts";
import { expandBraces } from "./brace.ts";
import { limits } from "./limits.ts";
import {
  BRACKET,
  DECODED,
  DEEP,
  FETCHED,
  globbed,
  HOLE,
  isKnown,
  isOpaque,
  literally,
  ONE,
  SOME,
  STAR,
} from "./marks.ts";
import type { Run, Scope, Stream } from "./model.ts";
import { spend } from "./model.ts";
import { expandParameter, homeOf, lookUp } from "./parameter.ts";
import type { CommandExpansionPart, ProcessSubstitutionPart, Word, WordPart } from "./parse.ts";
import { parseShell } from "./parse.ts";
import { unquoted } from "./plain.ts";

/** What a word needs to be expanded: the shell it stands in and a way to run the scripts inside it. */
export interface Place {
  readonly run: Run;
  readonly scope: Scope;
  readonly stdin: Stream;
  readonly execute: (script: NonNullable<CommandExpansionPart["script"]>, stdin: Stream) => Stream;
}

/** One stretch of a word. `items` has several members only for `"$@"` and arrays. */
export interface Piece {
  readonly items: readonly string[];
  /** Unquoted: cut at blanks, and `*` is a glob. */
  readonly split: boolean;
}

const mostAlternatives = 24;

/** The fields that words become, marked where they are not certain. */
export function expandWords(at: Place, words: readonly Word[]): string[] {
  const fields: string[] = [];
  for (const word of words) expandInto(at, word, fields);
  return fields;
}

/** Adds the fields that one word becomes. */
export function expandInto(at: Place, word: Word, fields: string[]): void {
  if (!spend(at.run)) return;
  const fixed = fixedWord(word);
  if (fixed !== null) fields.push(tilde(at.scope, word.text, fixed));
  else for (const field of expandWord(at, word)) fields.push(field);
}

/** Every text one word may stand for where no splitting happens: assignments, here-strings, redirect targets. */
export function expandWhole(at: Place, word: Word): string[] {
  const fixed = fixedWord(word);
  if (fixed !== null) return [tilde(at.scope, word.text, fixed)];
  if (word.parts === undefined) return [tilde(at.scope, word.text, word.value)];
  const wholes = combinations(at, word.parts, true).map((pieces) => textOf(at, pieces));
  return [...new Set(wholes)];
}

/** A word read as plain text: globs in it are just characters. */
export function expandText(at: Place, word: Word): string {
  return literally(expandWhole(at, word)[0] ?? "");
}

/** Text of a here-document body or another list of parts, without splitting. */
export function expandParts(at: Place, parts: readonly WordPart[]): string {
  return textOf(at, combinations(at, parts, false)[0] ?? []);
}

/** The pieces as one text. Text that doubles itself again and again (`x=$x$x`) is not followed. */
function textOf(at: Place, pieces: readonly Piece[]): string {
  return isTooLong(at, pieces) ? SOME : pieces.map((piece) => piece.items.join(" ")).join("");
}

function isTooLong({ run }: Place, pieces: readonly Piece[]): boolean {
  let length = 0;
  for (const piece of pieces) for (const item of piece.items) length += item.length + 1;
  if (length <= 2 * limits.expansion) return false;
  run.incomplete ??= "a text in it grows too long";
  return true;
}

function expandWord(at: Place, word: Word): string[] {
  const fixed = fixedWord(word);
  if (fixed !== null) return [tilde(at.scope, word.text, fixed)];
  const parts = word.parts;
  if (parts === undefined) return [tilde(at.scope, word.text, word.value)];
  if (parts.some((part) => part.type === "BraceExpansion")) return expandBraced(at, word);
  const ways = combinations(at, parts, true);
  const blanks = separators(at);
  if (ways.some((way) => isTooLong(at, way))) return [SOME];
  return ways.length > 1
    ? [...new Set(ways.flatMap((way) => fieldsOf(way, blanks)))]
    : fieldsOf(ways[0] ?? [], blanks);
}

/** The text of a word in which nothing is expanded; null for every other. Its parts are read from the text. */
function fixedWord(word: Word): string | null {
  return unquoted(word.text) ?? (word.parts === undefined ? null : fixedText(word.parts));
}

function fixedText(parts: readonly WordPart[]): string | null {
  let text = "";
  for (const part of parts) {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted")
      text += part.value;
    else if (part.type === "DoubleQuoted") {
      const inner = fixedText(part.parts);
      if (inner === null) return null;
      text += inner;
    } else return null;
  }
  return text;
}

function expandBraced(at: Place, word: Word): string[] {
  const texts = expandBraces(word.text);
  if (texts.length === 1) return [literally(word.value)];
  const parsed = parseShell(`: ${texts.join(" ")}`);
  if (!parsed.ok) return [SOME];
  const node = parsed.script.commands[0]?.command;
  if (node?.type !== "Command") return [SOME];
  const words = node.suffix.filter((arg): arg is Word => arg.type === "Word");
  return words.flatMap((one) =>
    one.parts?.some((part) => part.type === "BraceExpansion") ? [one.value] : expandWord(at, one),
  );
}

function combinations(at: Place, parts: readonly WordPart[], leading: boolean): Piece[][] {
  let all: Piece[][] = [[]];
  let first = leading;
  for (const part of parts) {
    if (!spend(at.run)) break;
    const choices = pieceChoices(at, part, first);
    first = false;
    const only = choices[0];
    if (choices.length === 1 && only !== undefined) for (const one of all) one.push(only);
    else all = all.flatMap((one) => choices.map((piece) => [...one, piece])).slice(0, mostAlternatives);
  }
  return all;
}

function pieceChoices(at: Place, part: WordPart, first: boolean): Piece[] {
  switch (part.type) {
    case "Literal":
      return [plain(first ? tilde(at.scope, part.text, part.value) : part.value)];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [plain(part.value)];
    case "DoubleQuoted":
    case "LocaleString":
      return quoted(at, part.parts);
    case "Glob":
      return [plain(globMark(part.kind, part.text))];
    case "SimpleExpansion":
      return lookUp(at.scope, part.text.slice(1).replaceAll("\\\n", ""), true);
    case "ParameterExpansion":
      return expandParameter(at, part, {
        whole: (word) => expandWhole(at, word),
        visit: (word) => void expandWhole(at, word),
      });
    case "CommandExpansion":
      return [{ items: [outputOf(at, part)], split: true }];
    case "ArithmeticExpansion":
      visitArithmetic(at, part.expression);
      return [plain(numberOf(part.expression))];
    case "ProcessSubstitution":
      return [plain(processFile(at, part))];
    case "ExtendedGlob":
      return extendedGlob(part.operator, part.pattern);
    case "BraceExpansion":
      return [plain(part.text)];
  }
}

function quoted(at: Place, parts: readonly WordPart[]): Piece[] {
  const between = at.scope.vars.get("IFS")?.alts[0]?.[0] ?? " ";
  return combinations(at, parts, false).map((pieces) => {
    if (isTooLong(at, pieces)) return plain(SOME);
    let items: string[] = [""];
    for (const [position, given] of pieces.entries()) {
      const piece = isStarred(parts[position]) ? plain(given.items.join(between)) : given;
      if (piece.items.length === 0) {
        if (pieces.length === 1) items = [];
        continue;
      }
      const [head = "", ...more] = piece.items;
      items[items.length - 1] = (items.at(-1) ?? "") + head;
      items.push(...more);
    }
    return { items, split: false };
  });
}

/** `"$*"` and `"${a[*]}"` are one word. */
function isStarred(part: WordPart | undefined): boolean {
  if (part?.type === "SimpleExpansion") return part.text === "$*";
  return part?.type === "ParameterExpansion" && /^\$\{(?:\*|\w+\[\*\])/.test(part.text);
}

/** What unquoted text is cut at: blanks, or what the script set `IFS` to. */
function separators(at: Place): RegExp {
  const set = at.scope.vars.get("IFS")?.alts[0];
  if (set === undefined || !isKnown(set)) return usual;
  return set === "" ? never : new RegExp(`[${set.replace(/[\\\]^-]/g, "\\$&")}]+`);
}

const usual = /[ \t\n]+/;
const never = /(?!)/;

function fieldsOf(pieces: readonly Piece[], blanks: RegExp): string[] {
  const fields: string[] = [];
  let current: string | null = null;
  for (const piece of pieces) {
    piece.items.forEach((item, index) => {
      if (index > 0 && current !== null) {
        fields.push(current);
        current = null;
      }
      if (!piece.split) {
        current = (current ?? "") + item;
        return;
      }
      const words = globbed(item).split(blanks);
      words.forEach((word, position) => {
        if (position > 0 && current !== null) {
          fields.push(current);
          current = null;
        }
        if (word !== "") current = (current ?? "") + word;
      });
    });
  }
  if (current !== null) fields.push(current);
  return fields;
}

function tilde(scope: Scope, source: string, value: string): string {
  if (source[0] !== "~" || value[0] !== "~") return value;
  if (value === "~" || value[1] === "/") return homeOf(scope) + value.slice(1);
  if (value === "~+" || value.startsWith("~+/")) return scope.cwd + value.slice(2);
  if (value === "~-" || value.startsWith("~-/")) return (scope.back.at(-1) ?? HOLE) + value.slice(2);
  const user = /^~([a-z_][a-z0-9_-]*)(?=\/|$)/.exec(value);
  if (user === null) return value;
  return (user[1] === "root" ? "/root" : `/home/${user[1]}`) + value.slice(user[0].length);
}

function globMark(kind: "star" | "question" | "bracket", source: string): string {
  if (kind === "star") return source.length > 1 ? DEEP : STAR;
  return kind === "question" ? ONE : BRACKET + source.slice(1);
}

function extendedGlob(operator: string, pattern: string): Piece[] {
  if (operator === "!" || pattern.includes("(")) return [plain(STAR)];
  const choices = pattern.split("|").map((one) => plain(globbed(one)));
  if (operator === "*" || operator === "?") choices.push(plain(""));
  if (operator === "*" || operator === "+") choices.push(plain(STAR));
  return choices.slice(0, mostAlternatives);
}

function outputOf(at: Place, part: CommandExpansionPart): string {
  const script = part.script;
  if (script === undefined) return SOME;
  const { text, from } = at.execute(script, at.stdin);
  if (isOpaque(text)) return from === "network" ? FETCHED : from === "decoder" ? DECODED : text.trim();
  const trimmed = text.replace(/[\r\n]+$/, "");
  if (from === "decoder" && trimmed.length > 1) at.run.decoded.add(trimmed);
  return trimmed;
}

function processFile(at: Place, part: ProcessSubstitutionPart): string {
  const name = `/dev/fd/${63 + at.scope.files.size}`;
  if (part.script === undefined) return name;
  const output = at.execute(part.script, at.stdin);
  if (part.operator === "<") at.scope.files.set(name, output);
  return name;
}

function plain(text: string): Piece {
  return { items: [text], split: false };
}
