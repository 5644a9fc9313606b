import { type Problem, problem } from "../core/problem.ts";

/** Larger files are refused: a manifest is a page, and parsing costs time in every edit. */
const maxBytes = 128 * 1024;

/**
 * The text of a manifest. In another encoding than UTF-8 it is read as well as it can be, for what it protects,
 * with HF302 beside it; of a file that is too large there is no text.
 */
export function decode(
  bytes: Uint8Array,
  file: string,
): { readonly text: string; readonly problem: Problem | null } {
  const unreadable = (text: string, message: string, hint: string) => ({
    text,
    problem: problem("HF302", message, { hint, where: { file } }),
  });
  if (bytes.length > maxBytes) {
    const message = `the file is larger than ${maxBytes / 1024} KB`;
    return unreadable("", message, "A manifest is a page of text; is this the right file?");
  }
  const wide = wideOf(bytes);
  if (wide !== null)
    return unreadable(new TextDecoder(wide).decode(bytes), "the file is UTF-16", "Save it as UTF-8.");
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), problem: null };
  } catch {
    const text = new TextDecoder("utf-8").decode(bytes);
    return unreadable(text, "the file is not UTF-8 text", "Save it as UTF-8.");
  }
}

function wideOf([first, second]: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}
