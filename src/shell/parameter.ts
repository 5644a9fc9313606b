import type { Piece, Place } from "./expand.ts";
import { escapes } from "./filter.ts";
import { asGlob, HOLE, hasUnknown, isKnown, SOME } from "./marks.ts";
import type { Scope, Value } from "./model.ts";
import { single } from "./model.ts";
import type { ParameterExpansionPart, ParameterOperation, Word } from "./parse.ts";

/** How to get at the words inside an expansion. */
interface Words {
  whole(word: Word): string[];
  visit(word: Word): void;
}

/** The home folder in this shell: what the script set, else the person's. */
export function homeOf(scope: Scope): string {
  return scope.vars.get("HOME")?.alts[0] ?? HOLE;
}

/** The pieces that `$name` may become. */
export function lookUp(scope: Scope, name: string, split: boolean): Piece[] {
  if (name === "@" || name === "*") return [{ items: scope.params, split }];
  const value = variable(scope, name);
  // Nobody passes that many arguments to a command line; `$9` is there to be empty.
  if (value === null && /^[4-9]$/.test(name) && scope.params[0] === HOLE) return [{ items: [""], split }];
  if (value === null) return [{ items: [unset(name)], split }];
  if (value.list) return [{ items: value.alts.slice(0, 1), split }];
  return value.alts.map((alt) => ({ items: [alt], split }));
}

/** The pieces that `${…}` may become. */
export function expandParameter(at: Place, part: ParameterExpansionPart, words: Words): Piece[] {
  const scope = at.scope;
  if (part.index !== undefined) words.visit(part.index);
  let name = part.parameter;
  if (part.prefix === "#") return [{ items: [SOME], split: false }];
  const { operation } = part;
  if (part.prefix === "!") {
    if (operation?.type === "Default") words.visit(operation.operand);
    const target = scope.vars.get(name)?.ref ?? variable(scope, name)?.alts[0];
    if (part.operation?.type === "Names" || target === undefined) return [{ items: [HOLE], split: true }];
    name = target;
  }
  const value = indexed(scope, name, part.index, words);
  if (operation === undefined) return pieces(value ?? single(unset(name)));
  if (operation.type === "Default") return defaulted(at, name, value, operation, words);
  const all = /^[@*]$/.test(part.index?.value ?? name);
  if (operation.type === "Slice" && value?.list === true && all)
    return pieces({ ...value, alts: slicedList(value.alts, operation, words, name) });
  const known =
    value ?? single(name === "PATH" && operation.type === "Slice" ? "/usr/bin:/bin" : unset(name));
  const changed = known.alts.flatMap((alt) => changedBy(at, alt, operation, words));
  return pieces({ alts: changed, list: known.list });
}

function pieces(value: Value): Piece[] {
  if (value.list) return [{ items: value.alts, split: true }];
  return value.alts.map((alt) => ({ items: [alt], split: true }));
}

function indexed(scope: Scope, name: string, index: Word | undefined, words: Words): Value | null {
  if (name === "@" || name === "*") return { alts: scope.params, list: true };
  const value = variable(scope, name);
  if (value === null || !value.list) return value;
  if (index === undefined) return single(value.alts[0] ?? "");
  if (index.value === "@" || index.value === "*") return value;
  const position = words.whole(index)[0] ?? "";
  if (/^-?\d+$/.test(position)) return single(value.alts.at(Number(position)) ?? "");
  return { alts: value.alts, list: false };
}

function variable(scope: Scope, name: string): Value | null {
  const value = scope.vars.get(name);
  if (value?.ref !== undefined && value.ref !== name)
    return scope.vars.get(value.ref) ?? (isKnown(value.ref) ? null : value);
  if (value !== undefined) return value;
  switch (name) {
    case "PWD":
      return single(scope.cwd);
    case "OLDPWD":
      return single(scope.back.at(-1) ?? HOLE);
    case "IFS":
      return single(" \t\n");
    case "0":
    case "BASH":
    case "SHELL":
      return single("bash");
    case "#":
      return single(String(scope.params.length));
  }
  if (!/^[1-9]\d?$/.test(name)) return null;
  const param = scope.params[Number(name) - 1];
  if (param === HOLE && scope.params.length === 1) return null;
  return param === undefined ? null : single(param);
}

/** Variables that are never empty on a working machine, or hold a number. */
const filled = new Set(
  "? $ ! - _ PPID UID EUID RANDOM SECONDS LINENO BASHPID BASH_VERSION USER LOGNAME HOSTNAME HOSTTYPE OSTYPE PATH SHLVL TERM LANG".split(
    " ",
  ),
);

function unset(name: string): string {
  return filled.has(name) ? SOME : HOLE;
}

function defaulted(
  at: Place,
  name: string,
  value: Value | null,
  operation: Extract<ParameterOperation, { type: "Default" }>,
  words: Words,
): Piece[] {
  const isSet =
    value !== null && (value.alts.some((alt) => alt !== "") || !operation.operator.startsWith(":"));
  const operand = words.whole(operation.operand);
  const plain = operand.map((text) => ({ items: [text], split: true }));
  switch (operation.operator) {
    case "-":
    case ":-":
      return isSet ? pieces(value) : plain;
    case "=":
    case ":=":
      if (!isSet) at.scope.vars.set(name, { alts: operand, list: false });
      return isSet ? pieces(value) : plain;
    case "+":
    case ":+":
      return value === null ? [{ items: [""], split: true }, ...plain] : isSet ? plain : pieces(single(""));
    case "?":
    case ":?":
      return isSet ? pieces({ ...value, alts: value.alts.map(notEmpty) }) : [{ items: [SOME], split: true }];
  }
}

function notEmpty(text: string): string {
  return text.replaceAll(HOLE, SOME);
}

function changedBy(at: Place, text: string, operation: ParameterOperation, words: Words): string[] {
  switch (operation.type) {
    case "Remove":
      return words.whole(operation.operand).map((pattern) => removed(text, pattern, operation.operator));
    case "Replace": {
      runPattern(at, operation);
      const replacement = words.whole(operation.replacement)[0] ?? "";
      return words
        .whole(operation.pattern)
        .map((pattern) => replaced(text, pattern, replacement, operation.operator));
    }
    case "Slice":
      return [
        sliced(text, words.whole(operation.offset)[0], operation.length && words.whole(operation.length)[0]),
      ];
    case "CaseModification":
      if (operation.operand !== undefined) words.visit(operation.operand);
      return [recased(text, operation.operator)];
    case "Transform":
      return [transformed(at, text, words.whole(operation.operand)[0] ?? "")];
    case "Default":
    case "Names":
    case "Unknown":
      return [SOME];
  }
}

/** `${x/$(ls /)/y}`: the parser ends the pattern at the first slash, also inside of a substitution. */
function runPattern(
  at: Place,
  { pattern, replacement }: Extract<ParameterOperation, { type: "Replace" }>,
): void {
  const cut = pattern.parts?.some(({ type, text }) => type === "CommandExpansion" && !/.[)`]$/s.test(text));
  if (cut === true) at.run.engine.substitute(at, `${pattern.text}/${replacement.text}`);
}

/** `${x@E}` reads escapes, `${x@P}` what a prompt would run, `${x@U}` and its like change the case. */
function transformed(at: Place, text: string, letter: string): string {
  switch (letter) {
    case "E":
      return escapes(text);
    case "U":
      return recased(text, "^^");
    case "u":
      return recased(text, "^");
    case "L":
      return recased(text, ",,");
    case "P":
      return /\$\(|`/.test(text) ? at.run.engine.substitute(at, text) : text;
    default:
      return text;
  }
}

function removed(text: string, pattern: string, operator: string): string {
  const atStart = operator[0] === "#";
  if (isKnown(pattern)) {
    if (atStart) return text.startsWith(pattern) ? text.slice(pattern.length) : text;
    return text.endsWith(pattern) ? text.slice(0, text.length - pattern.length) : text;
  }
  if (hasUnknown(text) || hasUnknown(pattern) || text.length > longestMatched) return SOME;
  const shape = regexOf(pattern);
  const longest = operator.length === 2;
  const exact = new RegExp(`^(?:${shape})$`, "s");
  const lengths = Array.from({ length: text.length + 1 }, (_, count) =>
    longest ? text.length - count : count,
  );
  const hit = lengths.find((n) => exact.test(atStart ? text.slice(0, n) : text.slice(text.length - n)));
  if (hit === undefined) return text;
  return atStart ? text.slice(hit) : text.slice(0, text.length - hit);
}

function replaced(text: string, pattern: string, replacement: string, operator: string): string {
  if (hasUnknown(text) || hasUnknown(pattern) || text.length > longestMatched) return SOME;
  const shape = isKnown(pattern) ? pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : regexOf(pattern);
  const start = operator === "/#" ? "^" : "";
  const end = operator === "/%" ? "$" : "";
  const regex = new RegExp(`${start}(?:${shape})${end}`, operator === "//" ? "gs" : "s");
  return text.replace(regex, () => replacement);
}

/** Longer values are not matched against patterns: the time would grow with their square. */
const longestMatched = 512;

function regexOf(pattern: string): string {
  return asGlob(pattern)
    .replace(/[.+^${}()|\\]/g, "\\$&")
    .replace(/\[[^\]]*\]/g, "?")
    .replaceAll("[", "\\[")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
}

/** `"${a[@]:1:2}"`, `"${@:2}"`: some of the items; all of them where the numbers are not known. */
function slicedList(
  items: readonly string[],
  { offset, length }: Extract<ParameterOperation, { type: "Slice" }>,
  words: Words,
  name: string,
): readonly string[] {
  // The first argument has the number one; before it stands the name of the shell.
  const before = /^[@*]$/.test(name) ? ["bash"] : [];
  if (before.length > 0 && items.length === 1 && items[0] === HOLE) return items;
  const counted = [...before, ...items];
  const from = Number(words.whole(offset)[0]?.trim());
  const count = length === undefined ? counted.length : Number(words.whole(length)[0]);
  if (!Number.isInteger(from) || !Number.isInteger(count) || count < 0) return items;
  const start = from < 0 ? Math.max(0, counted.length + from) : from;
  return counted.slice(start, start + count);
}

function sliced(text: string, offset: string | undefined, length: string | undefined): string {
  if (!isKnown(text) || offset === undefined || !/^\s*-?\d+$/.test(offset)) return SOME;
  const start = Number(offset) < 0 ? Math.max(0, text.length + Number(offset)) : Number(offset);
  if (length === undefined) return text.slice(start);
  if (!/^-?\d+$/.test(length)) return SOME;
  const count = Number(length);
  return count < 0 ? text.slice(start, count) : text.slice(start, start + count);
}

function recased(text: string, operator: string): string {
  const change = (part: string) => (operator[0] === "^" ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}
