import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import { type Problem, problem } from "../../core/problem.ts";
import { dict, list } from "../../core/read.ts";
import type { FilePlan } from "../../core/setup.ts";
import { type Outcome, refused } from "./outcome.ts";
import { applyChange, type Change, newlineOf, placeAt } from "./text.ts";
import { isOurTable } from "./toml-tree.ts";
import {
  isAbsent,
  isYamlFault,
  lineBehind,
  lineStart,
  pairNamed,
  parseYaml,
  rangeOf,
  shared,
  writeFlow,
  writeItem,
  writeKey,
  type YamlText,
  yamlEntries,
} from "./yaml-tree.ts";

export type YamlListPlan = Extract<FilePlan, { kind: "yaml-list" }>;

/**
 * Finds the one span of text that appends the plan's map to its list, after everything the person has there, in
 * the style the list is written in, creating the keys on the way. An entry of ours that differs is replaced where
 * it stands. Refuses what does not parse, what is shared through an anchor, and what would not read back.
 */
export function planYamlList(plan: YamlListPlan, text: string): Outcome {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const parsed = parseYaml(text.slice(bom));
  if (isYamlFault(parsed)) {
    const words = `the file does not parse (${parsed.words}), so nothing is written to it`;
    return refused(fault("HF104", words, plan, text, parsed.offset + bom));
  }
  const entries = yamlEntries(parsed.value, plan.at);
  const way = entries === null ? null : findWay(parsed, plan.at);
  if (entries === null || way === null) {
    const words = `${plan.at.join(".")} is no list in this file, so nothing is written`;
    return refused(fault("HF110", words, plan, text, bom));
  }
  if ("words" in way) {
    const words = `${way.name} ${way.words}, so nothing is written`;
    return refused(fault("HF110", words, plan, text, way.offset + bom));
  }
  const index = entries.findIndex((entry) => isOurTable(entry, plan.ours));
  if (index >= 0 && isDeepStrictEqual(entries[index], plan.value)) return { kind: "same", warnings: [] };
  const local = index >= 0 ? replacement(parsed, way, plan, index) : insertion(parsed, way, plan);
  const next =
    index < 0 ? [...entries, plan.value] : entries.map((old, i) => (i === index ? plan.value : old));
  if (local === null || !reads(applyChange(parsed.text, local), withList(parsed.value, plan.at, next))) {
    const words = "our entry would not read back as written in this file, so nothing is written";
    return refused(fault("HF104", words, plan, text, bom));
  }
  return { kind: "change", change: { ...local, at: local.at + bom }, keysBefore: way.depth, warnings: [] };
}

/** How far the path exists. `node`: the deepest map or list on it; null: the file is empty, or the key is. */
interface Way {
  readonly depth: number;
  readonly node: Node | null;
  /** End of the key's line where the value is absent, and the column of the key. */
  readonly behind: { readonly end: number; readonly column: number } | null;
}

interface Blocked {
  readonly name: string;
  readonly words: string;
  readonly offset: number;
}

function findWay({ text, root }: YamlText, at: readonly string[]): Way | Blocked | null {
  if (root === null) return { depth: 0, node: null, behind: null };
  let node: Node = root;
  for (const [depth, key] of at.entries()) {
    if (!isMap(node)) return null;
    const words = shared(node) ?? (node.flow === true && depth > 0 ? "is written in braces" : null);
    if (words !== null)
      return { name: at.slice(0, depth).join(".") || "the file", words, offset: rangeOf(node).start };
    if (node.flow === true)
      return { name: "the file", words: "is written in braces", offset: rangeOf(node).start };
    const pair = pairNamed(node, key);
    if (pair === null || !isScalar(pair.key)) return { depth, node, behind: null };
    const { start, end } = rangeOf(pair.key);
    if (isAbsent(pair.value)) {
      const colon = text.indexOf(":", end);
      return {
        depth: depth + 1,
        node: null,
        behind: { end: colon + 1, column: start - lineStart(text, start) },
      };
    }
    node = pair.value as Node;
  }
  const words = shared(node);
  if (words !== null) return { name: at.join("."), words, offset: rangeOf(node).start };
  return { depth: at.length, node, behind: null };
}

function insertion({ text, root }: YamlText, way: Way, plan: YamlListPlan): Change | null {
  const newline = newlineOf(text);
  const missing = plan.at.slice(way.depth);
  if (way.node === null && way.behind === null) {
    const lead = text === "" || /[\r\n]$/.test(text) ? "" : newline;
    return { at: text.length, removed: 0, text: lead + block(missing, plan, "", newline) };
  }
  if (way.behind !== null) {
    const unit = missing.length === 0 ? "" : unitOf(text, root);
    const { at, lead } = lineBehind(text, way.behind.end, newline);
    const indent = " ".repeat(way.behind.column) + (missing.length === 0 ? unitOf(text, root) : unit);
    return { at, removed: 0, text: lead + block(missing, plan, indent, newline) };
  }
  if (isSeq(way.node)) return intoList(text, way.node, plan, newline);
  return isMap(way.node) ? behindLast(text, way.node, missing, plan, newline) : null;
}

function intoList(text: string, seq: YAMLSeq, plan: YamlListPlan, newline: string): Change | null {
  const last = seq.items.at(-1) as Node | undefined;
  if (seq.flow === true) {
    const entry = writeFlow(plan.value);
    if (last === undefined) return { at: rangeOf(seq).start + 1, removed: 0, text: entry };
    const { end } = rangeOf(last);
    const comma = /^[ \t]*,/.exec(text.slice(end))?.[0];
    return comma === undefined
      ? { at: end, removed: 0, text: `, ${entry}` }
      : { at: end + comma.length, removed: 0, text: ` ${entry},` };
  }
  if (last === undefined) return null;
  const start = rangeOf(seq).start;
  const indent = text.slice(lineStart(text, start), start);
  if (!/^ *$/.test(indent)) return null;
  const { at, lead } = lineBehind(text, rangeOf(last).end, newline);
  return { at, removed: 0, text: lead + block([], plan, indent, newline) };
}

function behindLast(
  text: string,
  map: YAMLMap,
  missing: readonly string[],
  plan: YamlListPlan,
  newline: string,
): Change | null {
  const last = map.items.at(-1);
  const first = map.items[0]?.key;
  if (last === undefined || !isScalar(first) || !isScalar(last.key)) return null;
  const start = rangeOf(first).start;
  const indent = text.slice(lineStart(text, start), start);
  // `? key` and a map that begins behind a dash have no line of their own to copy.
  if (!/^ *$/.test(indent)) return null;
  const end = isAbsent(last.value) ? rangeOf(last.key).end : rangeOf(last.value as Node).end;
  const { at, lead } = lineBehind(text, end, newline);
  return { at, removed: 0, text: lead + block(missing, plan, indent, newline) };
}

/** The missing keys, one inside the other, and the entry under them. */
function block(keys: readonly string[], plan: YamlListPlan, indent: string, newline: string): string {
  const [key, ...rest] = keys;
  if (key === undefined) return `${indent}- ${writeItem(plan.value, `${indent}  `, newline)}${newline}`;
  return `${indent}${writeKey(key)}:${newline}${block(rest, plan, `${indent}  `, newline)}`;
}

/** Blanks per level, as the file has them; 2 where it has none. */
function unitOf(text: string, root: Node | null): string {
  if (!isMap(root)) return "  ";
  for (const { value } of root.items) {
    if (!isMap(value) || value.flow === true) continue;
    const { start } = rangeOf(value);
    const lead = text.slice(lineStart(text, start), start);
    if (/^ +$/.test(lead)) return lead;
  }
  return "  ";
}

function replacement({ text }: YamlText, way: Way, plan: YamlListPlan, index: number): Change | null {
  const item = isSeq(way.node) ? (way.node.items[index] as Node | undefined) : undefined;
  if (!isMap(item)) return null;
  const { start, end } = rangeOf(item);
  const indent = " ".repeat(start - lineStart(text, start));
  const value = item.flow === true ? writeFlow(plan.value) : writeItem(plan.value, indent, newlineOf(text));
  const tail = text.slice(start, end).match(/[\r\n\s]*$/)?.[0] ?? "";
  return { at: start, removed: end - start - tail.length, text: value };
}

export function withList(value: unknown, at: readonly string[], entries: readonly unknown[]): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return list(entries);
  return { ...dict(value), [key]: withList(dict(value)[key], rest, entries) };
}

function reads(text: string, expected: unknown): boolean {
  const parsed = parseYaml(text);
  return !isYamlFault(parsed) && isDeepStrictEqual(parsed.value, expected);
}

function fault(code: string, words: string, plan: YamlListPlan, text: string, offset: number): Problem {
  const parses = code === "HF104" && words.startsWith("the file");
  return problem(code, words, {
    hint: parses
      ? "repair the file, then run the command again"
      : `add to ${plan.at.join(".")} by hand: ${writeFlow(plan.value)}`,
    where: { file: plan.file, ...placeAt(text, offset) },
  });
}
