import { HOLE } from "./marks.ts";

/** Command line words of one program, told apart into options and operands. */
export interface Parsed {
  /** Options in order: name with its dashes, and the value when it has one. */
  readonly options: readonly (readonly [name: string, value: string | null])[];
  readonly operands: readonly string[];
  /** How many operands stood before `--`; all of them without one. */
  readonly beforeDashes: number;
}

interface Spec {
  /** Short options that take a value. */
  readonly short: string;
  /** Short options whose value, if any, is attached. */
  readonly attached: string;
  readonly long: ReadonlySet<string>;
}

/**
 * Reads arguments the getopt way. `spec` names what takes a value: first the short letters (`?` after a
 * letter: only an attached value), then long names, e.g. `"tSi? target-directory suffix"`; `-` for no
 * letters. With `stop`, everything after the first operand is an operand.
 */
export function readOptions(args: readonly string[], spec = "-", stop = false): Parsed {
  const takes = specOf(spec);
  const options: [string, string | null][] = [];
  const operands: string[] = [];
  let beforeDashes = -1;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      beforeDashes = operands.length;
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.length < 2 || arg[0] !== "-") {
      operands.push(arg);
      if (!stop) continue;
      operands.push(...args.slice(at + 1));
      break;
    }
    const wantsNext = arg[1] === "-" ? readLong(arg, takes, options) : readCluster(arg, takes, options);
    const last = options.at(-1);
    if (wantsNext && last !== undefined) last[1] = args[++at] ?? "";
  }
  return { options, operands, beforeDashes: beforeDashes < 0 ? operands.length : beforeDashes };
}

/**
 * Words in which an unset variable is glued into an option, as they are when it is empty: `--fo${x}rce`. Where it
 * may be the option's value (`--name=$x`, `-m"$x"`) it stays; before two dashes it may be the start of a name as well.
 */
export function withoutHoles(words: readonly string[]): readonly string[] {
  if (!words.some((word) => word.includes(HOLE))) return words;
  const end = words.indexOf("--");
  return words.flatMap((word, at) => {
    if (!word.includes(HOLE) || (end >= 0 && at > end)) return [word];
    const whole = word.replaceAll(HOLE, "");
    if (gluedLong.test(word)) return [word.replace(beforeValue, (name) => name.replaceAll(HOLE, ""))];
    if (gluedShort.test(word)) return [whole];
    return word.startsWith(HOLE) && /^--[a-z][a-z-]*$/i.test(whole) ? [word, whole] : [word];
  });
}

const gluedLong = /^-\uE000*-[\w\uE000-]*[a-z]/;
const beforeValue = /^[^=]*/;
const gluedShort = /^-[A-Za-z]{0,2}\uE000[A-Za-z]{1,2}$/;

/** Is one of the named options given? */
export function has(parsed: Parsed, ...names: readonly string[]): boolean {
  return parsed.options.some(([name]) => names.some((wanted) => wanted === name || shortens(name, wanted)));
}

/** GNU programs accept the start of a long option. */
function shortens(given: string, wanted: string): boolean {
  return given.length > 4 && given.startsWith("--") && wanted.startsWith(given);
}

/** The last value of any of the named options. */
export function optionValue(parsed: Parsed, ...names: readonly string[]): string | null {
  const given = parsed.options.filter(([name, value]) => value !== null && names.includes(name));
  return given.at(-1)?.[1] ?? null;
}

export function optionValues(parsed: Parsed, ...names: readonly string[]): string[] {
  return parsed.options.flatMap(([name, value]) => (value !== null && names.includes(name) ? [value] : []));
}

const specs = new Map<string, Spec>();

function specOf(text: string): Spec {
  const known = specs.get(text);
  if (known !== undefined) return known;
  const [letters = "", ...long] = text.split(" ");
  const attached = [...letters.matchAll(/(\w)\?/g)].map((match) => match[1]).join("");
  const short = letters.replace(/\w\?/g, "");
  const spec = { short: short === "-" ? "" : short, attached, long: new Set(long) };
  specs.set(text, spec);
  return spec;
}

/** Returns true when the option's value is the next word. */
function readLong(arg: string, takes: Spec, into: [string, string | null][]): boolean {
  const equals = arg.indexOf("=");
  const name = fullName(equals > 0 ? arg.slice(0, equals) : arg, takes);
  into.push([name, equals > 0 ? arg.slice(equals + 1) : null]);
  return equals < 0 && takes.long.has(name.slice(2));
}

/** The long option with a value that the word shortens, or the word itself. */
function fullName(word: string, takes: Spec): string {
  const name = word.slice(2);
  if (takes.long.has(name) || name.length < 4) return word;
  for (const long of takes.long) if (long.startsWith(name)) return `--${long}`;
  return word;
}

function readCluster(arg: string, takes: Spec, into: [string, string | null][]): boolean {
  for (let at = 1; at < arg.length; at++) {
    const letter = arg[at] ?? "";
    const rest = arg.slice(at + 1);
    if (takes.short.includes(letter)) {
      into.push([`-${letter}`, rest === "" ? null : rest]);
      return rest === "";
    }
    if (takes.attached.includes(letter)) {
      into.push([`-${letter}`, rest]);
      return false;
    }
    into.push([`-${letter}`, null]);
    if (at > 40) break;
  }
  return false;
}
