import { grepOptions, lineTest } from "./grep.ts";
import { FEW, hasGlob, isKnown, literally, STAR } from "./marks.ts";
import type { Call, NameList, Stream } from "./model.ts";
import { has, readOptions } from "./options.ts";

/** Lines of one output that are remembered. */
const mostLines = 64;

/** Remembers for the lines of an output what lists their files: words are known by their text wherever they end up. */
export function asList(call: Call, output: Stream): Stream {
  const { run, scope, argv } = call;
  const [among = null] = argv.slice(1).flatMap((word) => run.lists.get(word) ?? []);
  const list = { argv: argv.map(literally), cwd: scope.cwd, among };
  for (const line of output.text.split("\n", mostLines))
    if (hasGlob(line)) for (const key of [line, nameIn(line)]) run.lists.set(key, list);
  return output;
}

/** `… | grep word`: some of the names that come in. */
export function someOf({ run, scope, argv, stdin }: Call): Stream {
  if (!hasGlob(stdin.text)) return stdin;
  const fits = lineTest(argv);
  const inverted = has(readOptions(argv.slice(1), grepOptions), "-v", "--invert-match");
  const keep = (from: string, to: string) =>
    run.lists.set(to, { argv, cwd: scope.cwd, among: run.lists.get(from) ?? null });
  const lines = stdin.text.split("\n", mostLines).flatMap((line) => {
    // The folder itself that a search began with is a name like any other.
    if (!hasGlob(line)) return line === "" || !isKnown(line) || fits?.(line) !== false ? [line] : [];
    // By all but some, everything of a kind is still meant.
    const left = inverted ? line : line.replaceAll(STAR, FEW);
    const name = nameIn(line);
    if (name !== line) keep(name, nameIn(left));
    keep(line, left);
    return [left];
  });
  return { ...stdin, text: lines.join("\n") };
}

/** Whatever chose among the names since, where they come from. */
export function listerOf(list: NameList): NameList {
  return list.among === null ? list : listerOf(list.among);
}

/** `git status --short` puts signs in front of a name. */
function nameIn(line: string): string {
  return line.slice(line.lastIndexOf(" ") + 1);
}
