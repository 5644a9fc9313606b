import type { Outcome } from "./outcome.ts";
import { applyChange, type Change, newlineOf } from "./text.ts";

/** Appends the lines a file does not have yet, in one span that also ends an unfinished last line. */
export function planLines(lines: readonly string[], text: string): Outcome {
  const missing = missingLines(lines, text);
  if (missing.length === 0) return { kind: "same", warnings: [] };
  const newline = newlineOf(text);
  const unfinished = text !== "" && text !== "\uFEFF" && !/[\r\n]$/.test(text);
  const added = missing.map((line) => `${line}${newline}`).join("");
  const change = { at: text.length, removed: 0, text: `${unfinished ? newline : ""}${added}` };
  return { kind: "change", change, keysBefore: 0, warnings: [] };
}

/** The lines a file does not have yet; blanks at a line's end do not count. */
export function missingLines(lines: readonly string[], text: string): string[] {
  const present = new Set(linesOf(text).map((line) => line.trimEnd()));
  return lines.filter((line) => !present.has(line.trimEnd()));
}

/** Takes out whole lines, each with its line break, wherever they stand now. */
export function removeLines(lines: readonly string[], text: string): { text: string; changes: Change[] } {
  const gone = new Set(lines);
  const changes: Change[] = [];
  let rest = text;
  let at = bomLength(text);
  for (const match of text.slice(at).matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const [whole, line] = match;
    if (whole !== "" && line !== undefined && gone.has(line)) {
      const change = { at, removed: whole.length, text: "" };
      rest = applyChange(rest, change);
      changes.push(change);
    } else {
      at += whole.length;
    }
  }
  return { text: rest, changes };
}

/** The lines that say something; two texts with the same ones mean the same to a line-based reader. */
export function meaningfulLines(text: string): string[] {
  return linesOf(text).filter((line) => line.trim() !== "");
}

function linesOf(text: string): string[] {
  return text.slice(bomLength(text)).split(/\r\n|\n|\r/);
}

function bomLength(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}
