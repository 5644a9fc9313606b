import { isDeepStrictEqual } from "node:util";
import { isMap, isSeq, type Node, type YAMLMap } from "yaml";
import { type Problem, problem } from "../../core/problem.ts";
import type { FilePlan } from "../../core/setup.ts";
import { type Outcome, refused } from "./outcome.ts";
import { applyChange, type Change, newlineOf, placeAt } from "./text.ts";
import {
  contentEnd,
  hasText,
  isOurItem,
  isYamlFault,
  lineAt,
  parseYaml,
  withEntries,
  type YamlText,
  yamlEntries,
} from "./yaml-tree.ts";

type YamlListPlan = Extract<FilePlan, { kind: "yaml-list" }>;

/**
 * Finds the one span of text that appends the plan's entry to its list, behind everything the person has there,
 * creating the keys on the way; comments and layout stay. An entry of ours that differs is replaced where it
 * stands. Refuses a file that does not parse, and whatever would not read back as it should.
 */
export function planYamlList(plan: YamlListPlan, text: string): Outcome {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const body = text.slice(bom);
  const parsed = parseYaml(body);
  if (isYamlFault(parsed)) return refused(unparsable(plan.file, text, parsed.offset + bom, parsed.words));
  const entries = yamlEntries(parsed.value, plan.at);
  if (entries === null) return refused(wrongType(plan));
  const index = entries.findIndex((entry) => isOurItem(entry, plan.ours));
  if (index >= 0 && isDeepStrictEqual(entries[index], plan.value)) return { kind: "same", warnings: [] };
  const next =
    index < 0 ? [...entries, plan.value] : entries.map((old, i) => (i === index ? plan.value : old));
  const local = index < 0 ? insertion(body, parsed, plan) : replacement(body, parsed, plan, index);
  if (local === null) return refused(misread(plan));
  const after = parseYaml(applyChange(body, local));
  const wanted = withEntries(parsed.value, plan.at, next);
  const got = isYamlFault(after)
    ? null
    : withEntries(after.value, plan.at, yamlEntries(after.value, plan.at) ?? []);
  if (!isDeepStrictEqual(got, wanted)) return refused(misread(plan));
  return {
    kind: "change",
    change: { ...local, at: local.at + bom },
    keysBefore: plan.at.length,
    warnings: [],
  };
}

/** The node under a key; undefined where there is no such key. */
export function valueAt(map: YAMLMap, key: string): { key: Node; value: Node | null } | undefined {
  const pair = map.items.find((item) => (item.key as { value?: unknown } | null)?.value === key);
  return pair === undefined ? undefined : { key: pair.key as Node, value: pair.value as Node | null };
}

function insertion(text: string, { document }: YamlText, plan: YamlListPlan): Change | null {
  const [section, name] = plan.at;
  const root = document.contents as Node | null;
  if (!isMap(root)) return hasText(root) && text.trim() !== "" ? null : atEnd(text, plan);
  const outer = valueAt(root, section);
  if (outer === undefined) return root.flow === true ? null : atEnd(text, plan);
  if (!hasText(outer.value)) return below(text, outer.key, `${leadOf(text, outer.key)}  `, plan, name);
  if (!isMap(outer.value)) return null;
  const inner = valueAt(outer.value, name);
  if (outer.value.flow === true && inner === undefined) {
    return intoFlow(text, outer.value, `${name}: [${inline(plan)}]`);
  }
  const lead = outer.value.flow === true ? "" : leadOf(text, outer.value.items[0]?.key as Node);
  if (inner === undefined) return below(text, outer.value, lead, plan, name);
  if (!hasText(inner.value)) return below(text, inner.key, `${lead}  `, plan);
  if (!isSeq(inner.value)) return null;
  if (inner.value.flow === true) return intoFlow(text, inner.value, inline(plan));
  const first = inner.value.items[0] as Node | undefined;
  return first === undefined ? null : below(text, inner.value, leadOf(text, first), plan);
}

function replacement(text: string, { document }: YamlText, plan: YamlListPlan, index: number): Change | null {
  const [section, name] = plan.at;
  const outer = valueAt(document.contents as YAMLMap, section)?.value;
  const list = isMap(outer) ? valueAt(outer, name)?.value : null;
  const item = isSeq(list) ? (list.items[index] as Node | undefined) : undefined;
  if (item?.range == null) return null;
  const start = item.range[0];
  const removed = contentEnd(text, item) - start;
  if (isMap(item) && item.flow === true) return { at: start, removed, text: inline(plan) };
  const indent = " ".repeat(start - lineAt(text, start).start);
  return { at: start, removed, text: pairs(plan).join(`${newlineOf(text)}${indent}`) };
}

function atEnd(text: string, plan: YamlListPlan): Change {
  const [section, name] = plan.at;
  const newline = newlineOf(text);
  const unfinished = text !== "" && !text.endsWith("\n") ? newline : "";
  const lines = [`${section}:`, `  ${name}:`, ...item("    ", plan)];
  return { at: text.length, removed: 0, text: unfinished + lines.map((line) => line + newline).join("") };
}

/** New lines below the last line of a node's own text; a comment beside it stays there. */
function below(text: string, node: Node, lead: string, plan: YamlListPlan, name?: string): Change {
  const lines = name === undefined ? item(lead, plan) : [`${lead}${name}:`, ...item(`${lead}  `, plan)];
  const newline = newlineOf(text);
  const { end } = lineAt(text, contentEnd(text, node));
  return { at: end, removed: 0, text: lines.map((line) => newline + line).join("") };
}

/** Before the closing bracket. */
function intoFlow(text: string, node: Node, entry: string): Change {
  const close = (node.range?.[1] ?? 1) - 1;
  const before =
    text
      .slice(0, close)
      .replace(/(\s|#[^\n]*\n)+$/, "")
      .at(-1) ?? "";
  return { at: close, removed: 0, text: /[[{,]/.test(before) ? entry : `, ${entry}` };
}

function item(lead: string, plan: YamlListPlan): string[] {
  return pairs(plan).map((pair, i) => `${lead}${i === 0 ? "- " : "  "}${pair}`);
}

function inline(plan: YamlListPlan): string {
  return `{ ${pairs(plan).join(", ")} }`;
}

/** JSON's strings are YAML's double-quoted ones. */
function pairs({ value }: YamlListPlan): string[] {
  return Object.entries(value).map(([key, item]) => `${key}: ${JSON.stringify(item)}`);
}

function leadOf(text: string, node: Node): string {
  const { start } = lineAt(text, node.range?.[0] ?? 0);
  return /^ */.exec(text.slice(start))?.[0] ?? "";
}

function unparsable(file: string, text: string, offset: number, words: string): Problem {
  return problem("HF104", `the file does not parse (${words}), so nothing is written to it`, {
    hint: "repair the file, then run the command again",
    where: { file, ...placeAt(text, offset) },
  });
}

function wrongType(plan: YamlListPlan): Problem {
  const message = `${plan.at.join(".")} is no list in this file, so nothing is written`;
  return problem("HF110", message, {
    hint: "repair or remove that value, then run the command again",
    where: { file: plan.file },
  });
}

function misread(plan: YamlListPlan): Problem {
  return problem("HF104", "our entry would not read back as written in this file, so nothing is written", {
    hint: `add to ${plan.at.join(".")} by hand: ${inline(plan)}`,
    where: { file: plan.file },
  });
}
