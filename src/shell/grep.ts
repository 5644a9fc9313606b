import { plainPattern } from "./filter.ts";
import { isKnown } from "./marks.ts";
import { has, optionValues, type Parsed, readOptions } from "./options.ts";
import { baseOf } from "./place.ts";

/** Options of `grep` and `rg` that take a value. */
export const grepOptions =
  "efmABCdDgtTjM regexp file max-count after-context before-context context include exclude exclude-dir exclude-from label glob type type-not";

/** What `grep` looks for; null for what is not plain enough to be looked for here. */
export function shapesOf(program: string, parsed: Parsed, flags: string): (RegExp | null)[] {
  const given = optionValues(parsed, "-e", "--regexp");
  const fixed = program === "fgrep" || has(parsed, "-F", "--fixed-strings");
  const extended =
    /^(?:egrep|rg|ag)$/.test(program) || has(parsed, "-E", "-P", "--extended-regexp", "--perl-regexp");
  return (given.length > 0 ? given : parsed.operands.slice(0, 1)).map((word) => {
    const shape = fixed ? word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : plainPattern(word, extended);
    if (shape === null || !isKnown(word)) return null;
    const whole = has(parsed, "-x", "--line-regexp") ? `^(?:${shape})$` : shape;
    return new RegExp(has(parsed, "-w", "--word-regexp") ? `(?<!\\w)(?:${whole})(?!\\w)` : whole, flags);
  });
}

/** Which lines of its input a `grep`, or a program like it, prints; null where that is not known. */
export function lineTest([name = "", ...args]: readonly string[]): ((line: string) => boolean) | null {
  const parsed = readOptions(args, grepOptions);
  if (has(parsed, "-f", "--file", "-A", "-B", "-C", "-o", "--only-matching", "-c", "--count")) return null;
  const shapes = shapesOf(baseOf(name), parsed, has(parsed, "-i", "--ignore-case", "-S") ? "i" : "");
  if (shapes.length === 0 || shapes.includes(null)) return null;
  const inverted = has(parsed, "-v", "--invert-match");
  return (line) => shapes.some((shape) => shape?.test(line) === true) !== inverted;
}
