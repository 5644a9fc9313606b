import type { Dict } from "./read.ts";

/**
 * What was left out of an oversized payload. A text that was cut ends with the mark; an object or a
 * list that was cut holds it as a key or as its last item. Forging it only makes Holdfast more careful.
 */
export const cutMark = "\u{f8ff}holdfast:cut\u{f8ff}";

/** Is this the first part of a longer text? */
export function isCut(value: string): boolean {
  return value.endsWith(cutMark);
}

/** Were keys or items left out of this input, at any depth? Long texts in it do not count. */
export function hasGaps(input: Dict): boolean {
  const open: unknown[] = [input];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (Array.isArray(value)) {
      if (value.at(-1) === cutMark) return true;
      for (const item of value) if (isContainer(item)) open.push(item);
    } else if (isContainer(value)) {
      if (Object.hasOwn(value, cutMark)) return true;
      for (const item of Object.values(value)) if (isContainer(item)) open.push(item);
    }
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
