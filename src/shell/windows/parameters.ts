/** Arguments of a cmdlet: named parameters in lower case, and the rest in order. */
export interface Arguments {
  readonly named: readonly (readonly [name: string, value: string | null])[];
  readonly operands: readonly string[];
}

const switches = new Set(
  "recurse force whatif verbose confirm append noclobber nonewline passthru asjob wait usebasicparsing raw directory file hidden noprofile noninteractive nologo debug container leaf name".split(
    " ",
  ),
);

/** Reads `-Name value`, `-Name:value`, `-Switch` and cmd's `/s`. */
export function readArguments(words: readonly string[]): Arguments {
  const named: [string, string | null][] = [];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const option = /^[-–](\w+)(?::(.*))?$/s.exec(word) ?? /^\/([a-zA-Z?]\w*)(?::([^/\\].*))?$/s.exec(word);
    if (option === null || folder.test(word)) {
      operands.push(word);
      continue;
    }
    const name = (option[1] ?? "").toLowerCase();
    const next = words[at + 1];
    const alone = word.startsWith("/") || isSwitch(name) || next === undefined || /^-[a-z]/i.test(next);
    named.push([name, option[2] ?? (alone ? null : next)]);
    if (option[2] === undefined && !alone) at++;
  }
  return { named, operands };
}

/** A folder at the top, and no switch of cmd. */
const folder = /^\/(?:[A-Z][a-z]{3,}|bin|boot|etc|home|lib|mnt|opt|root|srv|tmp|usr|var|users|windows)$/;

function isSwitch(name: string): boolean {
  if (switches.has(name) && name !== "name") return true;
  return /^(?:r|re|rec\w*|fo|for|forc|f|s|q|y|i|wh\w*|rf|fr|a|v)$/.test(name);
}

/** The value of a parameter; PowerShell lets names be shortened. */
export function parameter(args: Arguments, ...names: readonly string[]): string | null {
  for (const [name, value] of args.named) {
    if (value !== null && names.some((full) => full === name || (name.length > 1 && full.startsWith(name))))
      return value;
  }
  return null;
}

export function flagged(args: Arguments, ...names: readonly string[]): boolean {
  return args.named.some(
    ([name, value]) =>
      value !== "$false" &&
      names.some(
        (full) =>
          full === name || (full.length > 2 && full.startsWith(name) && !(full === "whatif" && name === "w")),
      ),
  );
}
