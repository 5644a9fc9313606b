import { isDeepStrictEqual } from "node:util";
import { type Problem, problem } from "../../core/problem.ts";
import { dict, list } from "../../core/read.ts";
import type { FilePlan } from "../../core/setup.ts";
import { type Outcome, refused } from "./outcome.ts";
import { applyChange, type Change, newlineOf, placeAt, type Range } from "./text.ts";
import { arrayAt, type Statement, statementsOf } from "./toml-scan.ts";
import {
  entriesAt,
  isOurTable,
  isTomlFault,
  parseToml,
  writeHeader,
  writeInline,
  writeLines,
} from "./toml-tree.ts";

export type TomlListPlan = Extract<FilePlan, { kind: "toml-list" }>;

/**
 * Finds the one span of text that appends the plan's table to its array: a `[[…]]` table at the end of the file,
 * or an inline table where the person keeps the array between brackets. An entry of ours that differs is replaced
 * where it stands. Refuses a file that does not parse, or where the result would not read back.
 */
export function planTomlList(plan: TomlListPlan, text: string): Outcome {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const body = text.slice(bom);
  const parsed = parseToml(body);
  if (isTomlFault(parsed)) return refused(unparsable(plan.file, text, parsed.offset + bom, parsed.words));
  const entries = entriesAt(parsed.value, plan.at);
  if (entries === null) return refused(wrongType(plan));
  const index = entries.findIndex((entry) => isOurTable(entry, plan.ours));
  if (index >= 0 && isDeepStrictEqual(plain(entries[index]), plan.value))
    return { kind: "same", warnings: [] };
  const local = index >= 0 ? replacement(body, plan, index) : insertion(body, plan);
  const expected = withEntry(parsed.value, plan, entries, index);
  if (local === null || !reads(applyChange(body, local), expected)) return refused(misread(plan));
  return {
    kind: "change",
    change: { ...local, at: local.at + bom },
    keysBefore: plan.at.length,
    warnings: [],
  };
}

/** Where the n-th entry of an array stands, header or brackets included; null where that cannot be told. */
export function placeOfEntry(text: string, at: readonly string[], index: number): EntryPlace | null {
  const statements = statementsOf(text);
  const inline = inlineArray(text, statements, at);
  if (inline !== null) {
    const element = inline.elements[index];
    return element === undefined ? null : { kind: "inline", range: element };
  }
  const header = statements.filter(({ kind, path }) => kind === "item" && same(path, at))[index];
  if (header === undefined) return null;
  const behind = statements.slice(statements.indexOf(header) + 1);
  const next = behind.findIndex(({ kind }) => kind !== "pair");
  const last = (next < 0 ? behind : behind.slice(0, next)).at(-1) ?? header;
  return { kind: "table", range: { start: header.start, end: last.end } };
}

export interface EntryPlace {
  readonly kind: "table" | "inline";
  readonly range: Range & { readonly comma?: number | null };
}

function replacement(text: string, plan: TomlListPlan, index: number): Change | null {
  const place = placeOfEntry(text, plan.at, index);
  if (place === null) return null;
  const { start, end } = place.range;
  const block = place.kind === "inline" ? writeInline(plan.value) : tableText(plan, newlineOf(text));
  return { at: start, removed: end - start, text: block };
}

function insertion(text: string, plan: TomlListPlan): Change | null {
  const newline = newlineOf(text);
  const array = inlineArray(text, statementsOf(text), plan.at);
  if (array !== null) return intoBrackets(text, array, plan, newline);
  const unfinished = text !== "" && !/[\r\n]$/.test(text);
  const apart = text === "" || /(^|\n)[ \t]*\r?\n$/.test(text) ? "" : newline;
  const block = `${tableText(plan, newline)}${newline}`;
  return { at: text.length, removed: 0, text: `${unfinished ? newline : ""}${apart}${block}` };
}

function tableText(plan: TomlListPlan, newline: string): string {
  return `${writeHeader(plan.at)}${newline}${writeLines(plan.value, newline)}`;
}

type Brackets = ReturnType<typeof arrayAt> & { readonly open: number };

/** The array at a path when it is written between brackets. */
function inlineArray(text: string, statements: readonly Statement[], at: readonly string[]): Brackets | null {
  const pair = statements.find(({ kind, path }) => kind === "pair" && same(path, at));
  if (pair?.value == null || text[pair.value.start] !== "[") return null;
  return { ...arrayAt(text, pair.value.start), open: pair.value.start };
}

/** Behind the last element. Its comment stays beside it: then our comma opens our own line. */
function intoBrackets(text: string, array: Brackets, plan: TomlListPlan, newline: string): Change {
  const entry = writeInline(plan.value);
  const last = array.elements.at(-1);
  if (last === undefined) return { at: array.open + 1, removed: 0, text: entry };
  const from = last.comma === null ? last.end : last.comma + 1;
  const lead = leadOf(text, last.start);
  const rest = text.slice(from, array.close);
  const beside = /^[ \t]*#[^\r\n]*/.exec(rest)?.[0];
  const comma = last.comma === null;
  if (beside === undefined) {
    const gap = lead === null ? " " : newline + lead;
    return { at: from, removed: 0, text: comma ? `,${gap}${entry}` : `${gap}${entry},` };
  }
  const line = `${newline}${lead ?? "  "}`;
  return { at: from + beside.length, removed: 0, text: comma ? `${line}, ${entry}` : `${line}${entry},` };
}

/** The blanks before an element that begins its line; null when it does not. */
function leadOf(text: string, start: number): string | null {
  const from = Math.max(text.lastIndexOf("\n", start - 1) + 1, 0);
  const lead = text.slice(from, start);
  return /^[ \t]*$/.test(lead) ? lead : null;
}

function withEntry(value: unknown, plan: TomlListPlan, entries: readonly unknown[], index: number): unknown {
  const next =
    index < 0 ? [...entries, plan.value] : entries.map((old, i) => (i === index ? plan.value : old));
  return replaced(value, plan.at, next);
}

/** The value with another list at a path. */
export function replaced(value: unknown, at: readonly string[], entries: readonly unknown[]): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return list(entries);
  return { ...dict(value), [key]: replaced(dict(value)[key], rest, entries) };
}

function reads(text: string, expected: unknown): boolean {
  const parsed = parseToml(text);
  return !isTomlFault(parsed) && isDeepStrictEqual(plain(parsed.value), plain(expected));
}

/** smol-toml's tables have a null prototype, and dates are objects of its own. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return { date: String(value) };
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, i) => key === b[i]);
}

function unparsable(file: string, text: string, offset: number, words: string): Problem {
  return problem("HF104", `the file does not parse (${words}), so nothing is written to it`, {
    hint: "repair the file, then run the command again",
    where: { file, ...placeAt(text, offset) },
  });
}

function wrongType(plan: TomlListPlan): Problem {
  const name = plan.at.join(".");
  return problem("HF110", `${name} is no list of tables in this file, so nothing is written`, {
    hint: "repair or remove that value, then run the command again",
    where: { file: plan.file },
  });
}

function misread(plan: TomlListPlan): Problem {
  return problem("HF104", "our entry would not read back as written in this file, so nothing is written", {
    hint: `add by hand: ${writeHeader(plan.at)} with ${writeInline(plan.value)}`,
    where: { file: plan.file },
  });
}
