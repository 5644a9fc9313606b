import { hasUnknown, literally } from "../../../shell/marks.ts";
import type { Step } from "../../../shell/model.ts";
import { optionSpecs } from "./option-specs.ts";

/**
 * A pattern of commands, in words:
 *
 * - `git|hub` programs; `push|pull` a word of the command in that place (`delete-*` with a wildcard at the
 *   end), `**` any words up to one that only looks, such as `describe`;
 * - `-f|--force` any of these options is given (letters also in a cluster such as `-uf`; git's long ones
 *   also shortened; `--opt=value` with that value, which may end in `*`);
 * - `!-n|--dry-run` none of these is given; `!word` no such word is there.
 */
interface Pattern {
  readonly words: readonly (readonly string[])[];
  readonly needs: readonly (readonly string[])[];
  readonly refuses: readonly (readonly string[])[];
  readonly without: readonly (readonly string[])[];
}

/** The arguments of a step as patterns see them. */
export interface Line {
  readonly operands: readonly { readonly text: string; readonly maybe: boolean }[];
  readonly options: readonly (readonly [name: string, value: string | null])[];
  readonly abbreviates: boolean;
}

export function programsOf(pattern: string): string[] {
  return pattern.slice(0, pattern.search(/ |$/)).split("|");
}

/** Does the command fit the pattern? The program is taken to fit already. */
export function fits(pattern: string, line: Line): boolean {
  const { words, needs, refuses, without } = read(pattern);
  if (!needs.every((names) => names.some((name) => given(line, name)))) return false;
  if (refuses.some((names) => names.some((name) => given(line, name)))) return false;
  const unwanted = without.some((list) =>
    list.some((word) => line.operands.some((one) => wordFits(word, one.text))),
  );
  return !unwanted && wordsFit(words, line.operands, 0, 0);
}

/** Sorts the arguments of a step into options and operands. */
export function lineOf(step: Step): Line {
  const known = optionSpecs[`${step.name} ${step.args[0] ?? ""}`] ?? optionSpecs[step.name] ?? "-";
  const [letters = "", ...long] = known.split(" ");
  const operands: { text: string; maybe: boolean }[] = [];
  const options: [string, string | null][] = [];
  let pending = false;
  const cmdlet = /^[a-z]+-[a-z]+$/i.test(step.name);
  for (let at = 0; at < step.args.length; at++) {
    const arg = step.args[at] ?? "";
    if (arg === "--") {
      for (const text of step.args.slice(at + 1)) operands.push({ text: text.toLowerCase(), maybe: false });
      break;
    }
    if (at === 0 && arg[0] === "+" && step.name === "cargo") continue;
    if (arg.length < 2 || arg[0] !== "-") {
      operands.push({ text: arg.toLowerCase(), maybe: pending });
      pending = false;
      continue;
    }
    const takesNext = readOption(cmdlet ? arg.toLowerCase() : arg, letters, long, options);
    if (takesNext) {
      const last = options.at(-1);
      if (last !== undefined) last[1] = step.args[at + 1] ?? null;
      at++;
    }
    pending = !takesNext && !arg.includes("=");
    const next = step.args[at + 1];
    const last = options.at(-1);
    // An unknown option may take the next word: it counts as a value and as a word.
    if (pending && arg.startsWith("--") && last !== undefined && next !== undefined && !next.startsWith("-"))
      last[1] = next;
  }
  return { operands, options, abbreviates: step.name === "git" };
}

function readOption(
  arg: string,
  letters: string,
  long: readonly string[],
  into: [string, string | null][],
): boolean {
  const equals = arg.indexOf("=");
  const name = equals < 0 ? arg : arg.slice(0, equals);
  into.push([name, equals < 0 ? null : arg.slice(equals + 1)]);
  if (arg.startsWith("--")) return equals < 0 && long.includes(name.slice(2));
  if (equals < 0 && long.includes(name)) return true;
  if (arg.length === 2) return takesNext(letters, arg[1] ?? "");
  for (let at = 1; at < arg.length && at < 24; at++) {
    const letter = arg[at] ?? "";
    if (!/[a-zA-Z0-9]/.test(letter)) break;
    const takes = letters.includes(letter);
    into.push([`-${letter}`, takes ? arg.slice(at + 1) : null]);
    if (takes) return at === arg.length - 1 && takesNext(letters, letter);
  }
  return false;
}

/** `S?`: a value only where it is attached, as in `-Skey`. */
function takesNext(letters: string, letter: string): boolean {
  return letters.includes(letter) && !letters.includes(`${letter}?`);
}

function given(line: Line, wanted: string): boolean {
  const equals = wanted.indexOf("=");
  const name = equals < 0 ? wanted : wanted.slice(0, equals);
  return line.options.some(([option, value]) => {
    if (!sameOption(option, name, line.abbreviates)) return false;
    if (equals < 0) return value !== "false" && value !== "none";
    return value !== null && wordFits(wanted.slice(equals + 1), value.toLowerCase());
  });
}

function sameOption(option: string, name: string, abbreviates: boolean): boolean {
  if (option === name) return true;
  // Programs with one-dash long options take two dashes as well.
  if (name.length > 2 && name[1] !== "-" && option === `-${name}`) return true;
  return abbreviates && option.length > 3 && option.startsWith("--") && name.startsWith(option);
}

function wordsFit(
  words: readonly (readonly string[])[],
  operands: Line["operands"],
  from: number,
  at: number,
): boolean {
  const word = words[from];
  if (word === undefined) return true;
  if (word[0] === "**") {
    for (let next = at; next < operands.length; next++) {
      if (wordsFit(words, operands, from + 1, next)) return true;
      // What follows is the name of what is looked at.
      if (operands[next]?.maybe === false && looks.test(operands[next]?.text ?? "")) return false;
    }
    return words.length === from + 1;
  }
  for (let next = at; next < operands.length; next++) {
    const operand = operands[next];
    if (operand === undefined) return false;
    if (word.some((one) => wordFits(one, operand.text)) && wordsFit(words, operands, from + 1, next + 1))
      return true;
    if (!operand.maybe) return false;
  }
  return false;
}

const looks = /^(?:list|ls|describe|show|get|read|view|inspect|help|explain|logs|(?:list|describe|get)-.*)$/;

function wordFits(wanted: string, written: string): boolean {
  if (hasUnknown(written)) return false;
  const text = literally(written);
  if (wanted.endsWith("*"))
    return (
      text.startsWith(wanted.slice(0, -1)) || (wanted.startsWith("*") && text.includes(wanted.slice(1, -1)))
    );
  return wanted.startsWith("*") ? text.endsWith(wanted.slice(1)) : wanted === text;
}

const patterns = new Map<string, Pattern>();

function read(source: string): Pattern {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  const tokens = source.split(" ").slice(1);
  const lists = (test: (token: string) => boolean, cut: number) =>
    tokens.filter(test).map((token) => token.slice(cut).split("|"));
  const pattern = {
    words: lists((token) => !/^[!-]/.test(token), 0),
    needs: lists((token) => token.startsWith("-"), 0),
    refuses: lists((token) => token.startsWith("!-"), 1),
    without: lists((token) => /^![^-]/.test(token), 1),
  };
  patterns.set(source, pattern);
  return pattern;
}
