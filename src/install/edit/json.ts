import { isDeepStrictEqual } from "node:util";
import type { Node } from "jsonc-parser";
import { type Problem, problem } from "../../core/problem.ts";
import { dict, list } from "../../core/read.ts";
import type { FilePlan } from "../../core/setup.ts";
import { type Layout, layoutOf, write, writeMember } from "./json-layout.ts";
import { isOurs } from "./json-remove.ts";
import {
  childrenOf,
  endOf,
  indentAt,
  isFault,
  type JsonText,
  mentions,
  nodeValue,
  opensLine,
  parseJson,
  piecesBetween,
  propertiesNamed,
  propertyValue,
  readValue,
} from "./json-tree.ts";
import { type Outcome, refused } from "./outcome.ts";
import { applyChange, type Change, placeAt } from "./text.ts";

export type JsonListPlan = Extract<FilePlan, { kind: "json-list" }>;

/**
 * Finds the one span of text that appends the plan's value to its array, after everything the person has
 * there, creating the keys on the way. An entry of ours that differs is replaced where it stands, so that no
 * other entry changes its position. Refuses a file that does not parse or holds another type on the way.
 */
export function planJsonList(plan: JsonListPlan, text: string): Outcome {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const parsed = parseJson(text.slice(bom));
  if (isFault(parsed)) return refused(unparsable(plan.file, text, parsed.offset + bom, parsed.words));
  const way = findWay(parsed, plan.at);
  if (way.wrong !== null) return refused(wrongType(plan, text, way.wrong.offset + bom, way));
  const warnings = [...warningsOf(plan, parsed, way.repeated)];
  const old = way.depth === plan.at.length ? entryOfOurs(way.node, plan.ours) : null;
  if (old !== null && isDeepStrictEqual(nodeValue(old), plan.value)) return { kind: "same", warnings };
  if (old !== null && !isOurs(old, plan.ours)) {
    return { kind: "same", warnings: [...warnings, sharedEntry(plan, text, old.offset + bom)] };
  }
  const local = old !== null ? replacement(parsed, old, plan.value) : insertion(parsed, way, plan);
  const change = { ...local, at: local.at + bom };
  const wrong = old === null ? misread(plan, parsed, applyChange(text, change).slice(bom)) : null;
  if (wrong !== null) return refused(wrong);
  return { kind: "change", change, keysBefore: way.depth, warnings };
}

/** How far the plan's path exists. `node` is the deepest container on it; `wrong` a value of another type. */
interface Way {
  readonly node: Node | null;
  readonly depth: number;
  readonly wrong: Node | null;
  readonly wanted: "object" | "array";
  readonly repeated: Node | null;
}

function findWay(parsed: JsonText, at: readonly string[]): Way {
  let node = parsed.root;
  let repeated: Node | null = null;
  for (let depth = 0; ; depth++) {
    const wanted = depth === at.length ? "array" : "object";
    if (node === null) return { node, depth, wrong: null, wanted, repeated };
    if (node.type !== wanted) return { node, depth, wrong: node, wanted, repeated };
    const key = at[depth];
    const properties = key === undefined ? [] : propertiesNamed(node, key);
    if (properties.length > 1) repeated = properties[0] ?? null;
    const last = properties.at(-1);
    if (last === undefined) return { node, depth, wrong: null, wanted, repeated };
    node = propertyValue(last);
  }
}

function entryOfOurs(array: Node | null, ours: readonly string[]): Node | null {
  if (array === null) return null;
  return childrenOf(array).find((item) => mentions(nodeValue(item), ours)) ?? null;
}

function replacement(parsed: JsonText, old: Node, value: unknown): Change {
  const layout = layoutOf(parsed.text, parsed.root);
  const oneLine = !/[\r\n]/.test(parsed.text.slice(old.offset, endOf(old)));
  const text = write(value, layout, indentAt(parsed.text, old.offset), oneLine);
  return { at: old.offset, removed: old.length, text };
}

function insertion(parsed: JsonText, way: Way, plan: JsonListPlan): Change {
  const missing = plan.at.slice(way.depth);
  const nested = missing.slice(1).reduceRight<unknown>((value, key) => ({ [key]: value }), [plan.value]);
  const item = missing.length === 0 ? plan.value : nested;
  return insertLast(parsed, way.node, missing[0], item);
}

/** Puts an item behind everything in an array, or under a key in an object; a null node is an empty document. */
export function insertLast(
  parsed: JsonText,
  node: Node | null,
  key: string | undefined,
  item: unknown,
): Change {
  const layout = layoutOf(parsed.text, parsed.root);
  const member = (indent: string, oneLine: boolean) =>
    key === undefined
      ? write(item, layout, indent, oneLine)
      : writeMember(key, item, layout, indent, oneLine);
  if (node === null) return wholeDocument(parsed.text, layout, member);
  return childrenOf(node).length === 0
    ? intoEmpty(parsed.text, node, layout, member)
    : afterLast(parsed.text, node, layout, member);
}

type Member = (indent: string, oneLine: boolean) => string;

/** The file holds blanks and comments at most; they stay in front. */
function wholeDocument(text: string, layout: Layout, member: Member): Change {
  const { newline, unit } = layout;
  const lead = text === "" || /[\r\n][ \t]*$/.test(text) ? "" : newline;
  const body = `{${newline}${unit}${member(unit, false)}${newline}}${newline}`;
  return { at: text.length, removed: 0, text: lead + body };
}

/** Into `{}` or `[]`, behind a comment that may stand in it. */
function intoEmpty(text: string, node: Node, layout: Layout, member: Member): Change {
  const close = endOf(node) - 1;
  const comment = piecesBetween(text, node.offset + 1, close).at(-1);
  const at = comment?.end ?? node.offset + 1;
  const brokenBehind = /[\r\n]/.test(text.slice(at, close));
  const brokenInside = /[\r\n]/.test(text.slice(node.offset, close));
  if (!brokenInside && (layout.oneLine || comment !== undefined)) {
    const gap = layout.dense ? "" : " ";
    const left = node.type === "object" || comment !== undefined ? gap : "";
    const right = node.type === "object" && !/\s/.test(text[at] ?? "") ? gap : "";
    return { at, removed: 0, text: `${left}${member(indentAt(text, node.offset), true)}${right}` };
  }
  const outer = indentAt(text, node.offset);
  const beside = comment !== undefined && opensLine(text, comment.start);
  const indent = beside ? indentAt(text, comment.start) : outer + layout.unit;
  const tail = brokenBehind ? "" : layout.newline + outer;
  return { at, removed: 0, text: `${layout.newline}${indent}${member(indent, false)}${tail}` };
}

/** Behind the last child: after its comma, and after a comment that stands beside it on the same line. */
function afterLast(text: string, node: Node, layout: Layout, member: Member): Change {
  const last = childrenOf(node).at(-1) ?? node;
  const end = endOf(last);
  const pieces = piecesBetween(text, end, endOf(node) - 1);
  const comma = pieces.find((piece) => piece.kind === "comma");
  const beside = pieces.filter((piece) => !/[\r\n]/.test(text.slice(end, piece.start))).at(-1);
  const at = Math.max(comma?.end ?? end, beside?.end ?? end);
  const opens = opensLine(text, last.offset);
  const sameLine = !opens && beside?.kind !== "line-comment";
  const oneLine = sameLine && !/[\r\n]/.test(text.slice(last.offset, end));
  const gap = layout.dense ? "" : " ";
  const inner = opens ? indentAt(text, last.offset) : indentAt(text, node.offset) + layout.unit;
  const lead = sameLine ? gap : layout.newline + inner;
  const body = member(sameLine ? indentAt(text, end) : inner, oneLine);
  if (comma !== undefined) return { at, removed: 0, text: `${lead}${body},` };
  // Our comma must not cut a comment off the person's entry: then it opens our line instead.
  const behindComment = at > end && !sameLine;
  return { at, removed: 0, text: behindComment ? `${lead},${gap}${body}` : `,${lead}${body}` };
}

function sharedEntry(plan: JsonListPlan, text: string, offset: number): Problem {
  const message = "our command shares an entry with another command; the entry is left as it is";
  return problem("HF102", message, {
    severity: "warning",
    where: { file: plan.file, ...placeAt(text, offset) },
  });
}

function* warningsOf(plan: JsonListPlan, parsed: JsonText, repeated: Node | null): Generator<Problem> {
  if (repeated !== null) {
    const where = { file: plan.file, ...placeAt(parsed.text, repeated.offset) };
    const message = `the key ${JSON.stringify(nodeValue(childrenOf(repeated)[0] ?? repeated))} stands here more than once; only the last one counts, and our entry goes there`;
    yield problem("HF112", message, { severity: "warning", where });
  }
  if (plan.strict === true && parsed.root !== null && !isPlainJson(parsed.text)) {
    yield problem(
      "HF111",
      "the agent ignores this whole file: it reads plain JSON, and the file has comments or trailing commas",
      {
        severity: "warning",
        hint: "remove the comments and trailing commas",
        where: { file: plan.file },
      },
    );
  }
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads the result back: it must be the old value with our entry appended, and nothing else. */
function misread(plan: JsonListPlan, before: JsonText, text: string): Problem | null {
  const after = parseJson(text);
  const expected = appended(readValue(before) ?? {}, plan.at, plan.value);
  if (!isFault(after) && isDeepStrictEqual(readValue(after), expected)) return null;
  return problem("HF104", "our entry would not read back as written in this file, so nothing is written", {
    hint: `add to ${plan.at.join(".")} by hand: ${JSON.stringify(plan.value)}`,
    where: { file: plan.file },
  });
}

function appended(value: unknown, at: readonly string[], entry: unknown): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return [...list(value), entry];
  return { ...dict(value), [key]: appended(dict(value)[key], rest, entry) };
}

function unparsable(file: string, text: string, offset: number, words: string): Problem {
  return problem("HF104", `the file does not parse (${words}), so nothing is written to it`, {
    hint: "repair the file, then run the command again",
    where: { file, ...placeAt(text, offset) },
  });
}

function wrongType(plan: JsonListPlan, text: string, offset: number, way: Way): Problem {
  const name = way.depth === 0 ? "the file's value" : plan.at.slice(0, way.depth).join(".");
  const article = (type: string) => (type === "object" || type === "array" ? `an ${type}` : `a ${type}`);
  const found = way.wrong?.type === "null" ? "null" : article(way.wrong?.type ?? "value");
  return problem("HF110", `${name} is ${found} where ${article(way.wanted)} belongs, so nothing is written`, {
    hint: "repair or remove that value, then run the command again",
    where: { file: plan.file, ...placeAt(text, offset) },
  });
}
