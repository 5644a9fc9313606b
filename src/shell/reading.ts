import { DECODED, FETCHED, isKnown, isOpaque, SOME } from "./marks.ts";
import { type Call, copyScope, noText, type Stream } from "./model.ts";
import { optionValue, readOptions } from "./options.ts";

/** `read a b`: each variable may hold that column of any line of the input. */
export function readLine(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "adinNptu");
  const names = parsed.operands.length > 0 ? parsed.operands : ["REPLY"];
  const array = optionValue(parsed, "-a");
  const lines = linesOf(arrived(call.stdin));
  const delimiters = call.env.get("IFS") ?? call.scope.vars.get("IFS")?.alts[0] ?? " \t";
  if (array !== null) {
    const line = lines[0] ?? SOME;
    const cut = isKnown(delimiters) && delimiters.trim() !== "";
    const alts = cut ? line.split(delimiters.trim()[0] ?? " ") : wordsOf(line);
    call.scope.vars.set(array, { alts, list: true });
    return noText;
  }
  names.forEach((name, column) => {
    const last = column === names.length - 1;
    const alts = lines.map((line) => columnOf(line, column, last, delimiters)).slice(0, 16);
    call.scope.vars.set(name, { alts: [...new Set(alts)], list: false });
  });
  return noText;
}

/** `mapfile`: the lines of the input, and a command that may be run for each. */
export function readLines(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "dnOsuCc");
  const callback = optionValue(parsed, "-C");
  if (callback !== null)
    call.run.engine.text(
      call,
      `${callback} 0 ${linesOf(arrived(call.stdin))[0] ?? ""}`,
      copyScope(call.scope),
      noText,
    );
  const name = parsed.operands[0] ?? "MAPFILE";
  call.scope.vars.set(name, { alts: linesOf(arrived(call.stdin)), list: true });
  return noText;
}

/** Unknown text keeps where it came from. */
function arrived({ text, from }: Stream): string {
  if (!isOpaque(text)) return text;
  return from === "network" ? FETCHED : from === "decoder" ? DECODED : text;
}

function linesOf(text: string): string[] {
  const lines = text.replace(/\n+$/, "").split(/[\n\0]/);
  return lines.length === 1 && lines[0] === "" ? [SOME] : lines.slice(0, 256);
}

function columnOf(line: string, column: number, last: boolean, delimiters: string): string {
  if (column === 0 && last) return line.trim();
  const words =
    isKnown(delimiters) && delimiters.trim() !== "" ? line.split(delimiters.trim()[0] ?? " ") : wordsOf(line);
  return (last ? words.slice(column).join(" ") : words[column]) ?? (isOpaque(line) ? SOME : "");
}

function wordsOf(line: string): string[] {
  return line.trim().split(/\s+/);
}
