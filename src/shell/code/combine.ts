import { HOLE } from "../marks.ts";

/** Texts that one expression may have. */
export const mostTexts = 16;

/** Every way to put the texts of some terms one after the other. */
export function summed(terms: readonly (readonly string[])[]): string[] {
  let all = [""];
  for (const texts of terms) {
    const next = texts.length === 0 ? [HOLE] : texts;
    all = all.flatMap((head) => next.map((tail) => head + tail)).slice(0, mostTexts);
  }
  return all;
}

/** Every way to join the texts of some parts as paths. */
export function joinAll(parts: readonly (readonly string[])[]): string[] {
  let all: string[][] = [[]];
  for (const part of parts) {
    if (part.length === 0) continue;
    all = all.flatMap((head) => part.map((tail) => [...head, tail])).slice(0, mostTexts);
  }
  return all.filter((one) => one.length > 0).map(joined);
}

/** Paths joined the way `os.path.join` does: an absolute one starts over. */
export function joined(parts: readonly string[]): string {
  return parts.reduce((path, part) => (part.startsWith("/") || path === "" ? part : `${path}/${part}`), "");
}
