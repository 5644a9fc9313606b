import type { Dict } from "../../core/read.ts";

/**
 * The command line that the first of the named arguments holds: text as it is; a list of words as a shell
 * would need them typed, where `["bash", "-lc", "text"]` is that text. Null when none holds any.
 */
export function firstCommand(from: Dict, keys: readonly string[]): string | null {
  for (const key of keys) {
    const command = commandLine(from[key]);
    if (command !== null) return command;
  }
  return null;
}

function commandLine(value: unknown): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  if (!Array.isArray(value) || value.length === 0) return null;
  const words = value.map((word) => (typeof word === "string" ? word : String(word)));
  const [program = "", option = "", script] = words;
  if (words.length === 3 && script !== undefined && shells.test(program) && /^-l?c$/.test(option))
    return script;
  // A list of one is a whole command line.
  return words.length === 1 ? program : words.map(quoted).join(" ");
}

const shells = /(?:^|\/)(?:ba|z|da|k|a)?sh$/;

/** A word as a shell would need it typed. */
export function quoted(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
