import type { Node } from "jsonc-parser";
import { childrenOf, indentAt, opensLine } from "./json-tree.ts";
import { newlineOf } from "./text.ts";

/** How a JSON text is laid out, so that what we add looks like the rest. */
export interface Layout {
  readonly newline: string;
  /** One step of indentation. */
  readonly unit: string;
  /** The whole value stands on one line. */
  readonly oneLine: boolean;
  /** No blanks between tokens. */
  readonly dense: boolean;
}

/** Reads the layout off the text; two blanks where it shows none. */
export function layoutOf(text: string, root: Node | null): Layout {
  const body = root === null ? "" : text.slice(root.offset, root.offset + root.length);
  const oneLine = !/[\r\n]/.test(body) && root !== null && childrenOf(root).length > 0;
  return {
    newline: newlineOf(text),
    unit: (root === null ? null : unitOf(text, root)) ?? "  ",
    oneLine,
    dense: oneLine && root !== null && isDense(root),
  };
}

/** The first child that opens its own line shows how far one level is indented. */
function unitOf(text: string, node: Node): string | null {
  const outer = indentAt(text, node.offset);
  for (const child of childrenOf(node)) {
    if (child.type !== "property" && node.type !== "array") continue;
    const inner = indentAt(text, child.offset);
    if (opensLine(text, child.offset) && inner.startsWith(outer) && inner !== outer) {
      return inner.slice(outer.length);
    }
    const below = unitOf(text, (child.type === "property" ? childrenOf(child)[1] : child) ?? child);
    if (below !== null) return below;
  }
  return null;
}

function isDense(root: Node): boolean {
  const property = childrenOf(root)[0];
  const value = property === undefined ? undefined : childrenOf(property)[1];
  return value !== undefined && property?.colonOffset === value.offset - 1;
}

/** Writes a value in the layout of the file. `indent` is that of the line the value starts on. */
export function write(value: unknown, layout: Layout, indent: string, oneLine: boolean): string {
  if (!oneLine) {
    return JSON.stringify(value, null, layout.unit).replaceAll("\n", `${layout.newline}${indent}`);
  }
  return layout.dense ? JSON.stringify(value) : spaced(value);
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** Writes `"key": value`. */
export function writeMember(
  key: string,
  value: unknown,
  layout: Layout,
  indent: string,
  oneLine: boolean,
): string {
  const colon = layout.dense && oneLine ? ":" : ": ";
  return `${JSON.stringify(key)}${colon}${write(value, layout, indent, oneLine)}`;
}
