import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";

/**
 * The line on which an entry of a list stands, e.g. `.env` in `protect.paths`; counts from 1. Null when it is
 * not in the file, so that the built-in list must be where it comes from.
 */
export function lineOfEntry(text: string, section: string, key: string, entry: string): number | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  const list: unknown = document.getIn([section, key], true);
  if (!isSeq(list)) return null;
  const item = list.items.find((one) => isScalar(one) && String(one.value) === entry);
  return isScalar(item) && item.range ? lines.linePos(item.range[0]).line : null;
}
