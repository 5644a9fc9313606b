import type { Node } from "jsonc-parser";
import {
  childrenOf,
  endOf,
  isFault,
  type JsonText,
  lineStart,
  opensLine,
  parseJson,
  piecesBetween,
  propertiesNamed,
  propertyValue,
} from "./json-tree.ts";
import { applyChange, type Change } from "./text.ts";

/** Where our entries of one plan may stand, and what was there before them. */
export interface EntryPlace {
  readonly at: readonly string[];
  readonly ours: readonly string[];
  /** Keys of `at` that existed before us. Emptied ones beyond are removed with the entry. */
  readonly keysBefore: number;
}

export interface Removal {
  readonly text: string;
  /** In order; each counts from the text the one before left. */
  readonly changes: readonly Change[];
  readonly entries: number;
  /** True when an entry of somebody else stood behind one of ours and now has a smaller index. */
  readonly renumbers: boolean;
}

/**
 * Takes out every entry whose command is one of ours, comma and line included, and the keys that were
 * created for it and are empty now. An entry shared with somebody else's command loses only our part.
 * Null when the text does not parse.
 */
export function removeEntries(text: string, place: EntryPlace): Removal | null {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  let rest = text;
  let entries = 0;
  let renumbers = false;
  const changes: Change[] = [];
  const take = (local: readonly Change[]) => {
    for (const change of local) {
      const shifted = { ...change, at: change.at + bom };
      rest = applyChange(rest, shifted);
      changes.push(shifted);
    }
  };
  for (;;) {
    const parsed = parseJson(rest.slice(bom));
    if (isFault(parsed)) return null;
    const found = firstOfOurs(parsed, place);
    if (found === null) break;
    renumbers ||= hasForeignBehind(found.list, found.node, place.ours);
    take(removeChild(parsed.text, found.list, found.node));
    entries += 1;
  }
  for (let keys = place.at.length; entries > 0 && keys > place.keysBefore; keys--) {
    const parsed = parseJson(rest.slice(bom));
    if (isFault(parsed)) return null;
    const empty = emptyProperty(parsed, place.at.slice(0, keys));
    if (empty === null) break;
    take(removeChild(parsed.text, empty.object, empty.property));
  }
  return { text: rest, changes, entries, renumbers };
}

interface Found {
  readonly list: Node;
  readonly node: Node;
}

/** The first node to remove: a whole entry when all of it is ours, else our part of it. */
function firstOfOurs(parsed: JsonText, place: EntryPlace): Found | null {
  for (const list of listsAt(parsed.root, place.at)) {
    for (const entry of childrenOf(list)) {
      const found = isOurs(entry, place.ours) ? { list, node: entry } : partOfOurs(entry, place.ours);
      if (found !== null) return found;
    }
  }
  return null;
}

/** Every array at the path. Repeated keys give several; ours may stand in any of them. */
function listsAt(root: Node | null, at: readonly string[]): Node[] {
  let nodes = root === null ? [] : [root];
  for (const key of at) {
    nodes = nodes
      .flatMap((node) => propertiesNamed(node, key))
      .map(propertyValue)
      .filter((node) => node !== null);
  }
  return nodes.filter((node) => node.type === "array");
}

/** True for a handler with one of our commands, and for a group that holds nothing but such handlers. */
export function isOurs(entry: Node, ours: readonly string[]): boolean {
  if (entry.type !== "object") return false;
  const values = childrenOf(entry).map(propertyValue);
  if (values.some((value) => value?.type === "string" && ours.includes(String(value.value)))) return true;
  const lists = values.filter((value) => value?.type === "array" && childrenOf(value).some(isObject));
  return (
    lists.length > 0 &&
    lists.every((value) => value !== null && childrenOf(value).every((item) => isOurs(item, ours)))
  );
}

function isObject(node: Node): boolean {
  return node.type === "object";
}

function partOfOurs(entry: Node, ours: readonly string[]): Found | null {
  for (const property of entry.type === "object" ? childrenOf(entry) : []) {
    const list = propertyValue(property);
    const node = list?.type === "array" ? childrenOf(list).find((item) => isOurs(item, ours)) : undefined;
    if (list !== null && node !== undefined) return { list, node };
  }
  return null;
}

function hasForeignBehind(list: Node, node: Node, ours: readonly string[]): boolean {
  const children = childrenOf(list);
  return children.slice(children.indexOf(node) + 1).some((item) => !isOurs(item, ours));
}

function emptyProperty(parsed: JsonText, path: readonly string[]): { object: Node; property: Node } | null {
  let object = parsed.root;
  for (const [i, key] of path.entries()) {
    const property = object === null ? undefined : propertiesNamed(object, key).at(-1);
    if (object === null || property === undefined) return null;
    const value = propertyValue(property);
    if (i === path.length - 1) {
      return value !== null && isEmpty(parsed.text, value) ? { object, property } : null;
    }
    object = value;
  }
  return null;
}

/** No children and no comment somebody wrote into it. */
function isEmpty(text: string, node: Node): boolean {
  return (
    (node.type === "object" || node.type === "array") &&
    childrenOf(node).length === 0 &&
    /^.\s*.$/s.test(text.slice(node.offset, endOf(node)))
  );
}

/**
 * Takes one child out of an object or array: its comma goes with it, comments beside its neighbours stay.
 * The changes are ordered from the end of the text to its start, so that offsets stay true.
 */
export function removeChild(text: string, container: Node, child: Node): Change[] {
  const children = childrenOf(container);
  const index = children.indexOf(child);
  const next = children[index + 1];
  const behind = piecesBetween(text, endOf(child), next?.offset ?? endOf(container) - 1);
  const comma = behind.find((piece) => piece.kind === "comma");
  if (comma !== undefined && /^\s*$/.test(text.slice(endOf(child), comma.start))) {
    return [removeLineOr(text, child.offset, comma.end, container)];
  }
  const own = removeLineOr(text, child.offset, endOf(child), container);
  if (comma !== undefined) return [{ at: comma.start, removed: 1, text: "" }, own];
  const previous = children[index - 1];
  if (previous === undefined) return [own];
  const between = piecesBetween(text, endOf(previous), child.offset);
  const before = between.find((piece) => piece.kind === "comma");
  if (before === undefined) return [own];
  const joined = /^\s*$/.test(text.slice(before.end, own.at));
  if (!joined) return [own, { at: before.start, removed: 1, text: "" }];
  const end = own.at + own.removed;
  // A comma that opens our line takes the line with it, unless a line comment before needs the line break.
  const opens = opensLine(text, before.start) && /^[ \t]*[\r\n]/.test(text.slice(end));
  const blank = opens ? (/\s*$/.exec(text.slice(endOf(previous), before.start))?.[0].length ?? 0) : 0;
  return [{ at: before.start - blank, removed: end - before.start + blank, text: "" }];
}

/** The stretch itself, widened to its lines when nothing else stands on them, and to the blanks beside it. */
function removeLineOr(text: string, start: number, end: number, container: Node): Change {
  const inner = { start: container.offset + 1, end: endOf(container) - 1 };
  const before = text.slice(inner.start, start);
  const behind = text.slice(end, inner.end);
  if (/^\s*$/.test(before) && /^\s*$/.test(behind)) {
    return { at: inner.start, removed: inner.end - inner.start, text: "" };
  }
  const restOfLine = /^[ \t]*(\r\n|\n|\r)/.exec(behind)?.[0];
  if (opensLine(text, start) && restOfLine !== undefined && lineStart(text, start) > inner.start) {
    // The line break before goes, the one behind stays: the closing bracket keeps its place.
    const blank = /(\r\n|\n|\r)[ \t]*$/.exec(before)?.[0].length ?? 0;
    return { at: start - blank, removed: end - start + blank, text: "" };
  }
  const blank = /^[ \t]*/.exec(behind)?.[0].length ?? 0;
  const last = blank === behind.length;
  const lead = last ? (/[ \t]*$/.exec(before)?.[0].length ?? 0) : 0;
  return { at: start - lead, removed: end - start + lead + (last ? 0 : blank), text: "" };
}
