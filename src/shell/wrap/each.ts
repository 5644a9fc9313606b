import { DEEP, FETCHED, FEW, globbed, isKnown, isOpaque, SOME, STAR } from "../marks.ts";
import type { Call, Stream } from "../model.ts";
import { noText, textStream, unknownText } from "../model.ts";
import { asList } from "../name-list.ts";
import { has, optionValue, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { recordStep } from "../record.ts";
import { noteOrigin } from "../shells.ts";

/** Options of `fd` that take a value. */
export const fdOptions =
  "etdEcjoS max-depth min-depth exact-depth extension type exclude size changed-within changed-before owner color threads base-directory search-path ignore-file max-results format batch-size";

/** `fd pattern folders -x command`. */
export function fd(call: Call): Stream {
  recordStep(call, "fd");
  const words = call.argv.slice(1);
  const at = words.findIndex((word) => fdRuns.test(word));
  const end = at < 0 ? -1 : words.indexOf(";", at + 1);
  const own = at < 0 ? words : [...words.slice(0, at), ...(end < 0 ? [] : words.slice(end + 1))];
  const parsed = readOptions(own, fdOptions);
  const extension = optionValue(parsed, "-e", "--extension");
  const [pattern = ".", ...folders] = parsed.operands;
  const name = extension !== null ? `${STAR}.${extension}` : fdName(pattern, has(parsed, "-g", "--glob"));
  const starts =
    folders.length > 0 ? folders : [optionValue(parsed, "--base-directory", "--search-path") ?? "."];
  const picky = has(parsed, "-S", "--size", "--changed-within", "--changed-before", "--owner");
  const whole = name === "" && !picky && at >= 0;
  const items = starts.flatMap((start) => [
    ...(whole ? [start] : []),
    `${start}/${DEEP}/${name === "" ? FEW : name}`,
  ]);
  const list = { ...call, argv: [call.argv[0] ?? "fd", ...own] };
  const all = asList(list, textStream(`${items.join("\n")}\n`, "program"));
  if (at < 0) return all;
  const attached = /=(.+)$/.exec(words[at] ?? "")?.[1];
  const command = [
    ...(attached === undefined ? [] : [attached]),
    ...words.slice(at + 1, end < 0 ? undefined : end),
  ];
  const each = /^(?:-\w*x|--exec(?:=.*)?)$/.test(words[at] ?? "");
  const full = command.some((word) => word.includes("{")) ? command : [...command, "{}"];
  return each ? runForEach(call, full, items) : runFor(call, full, items);
}

/** `-x`, also behind options without a value: `-HIX`. */
const fdRuns = /^(?:-[HIuaLpsigFl01qv]*[xX]|--exec(?:-batch)?(?:=.*)?)$/;

/** The names a simple regex picks, as a glob; empty for all. */
function fdName(pattern: string, glob: boolean): string {
  if (glob) return globbed(pattern);
  const body = pattern.replace(/^\^/, "").replace(/\$$/, "");
  const text = body.replace(/\\(.)/g, "$1");
  if (/^\.?[*+]?$/.test(body)) return "";
  if (/[*+?()[\]{}|]/.test(body.replace(/\\./g, ""))) return FEW;
  return `${pattern.startsWith("^") ? "" : STAR}${text}${pattern.endsWith("$") ? "" : STAR}`;
}

const xargsOptions =
  "adEILnPsJRSi?l?e? arg-file delimiter max-lines max-args max-procs max-chars process-slot-var";

/** `xargs`: the words on standard input become arguments. */
export function xargs(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), xargsOptions, true);
  const replaced = parsed.options.find(([name]) => /^(?:-I|-i|-J|--replace)$/.test(name));
  const file = optionValue(parsed, "-a", "--arg-file");
  const text = file === null ? fetchedText(call) : writtenText(call, file);
  const lines = parsed.options.some(([name]) => /^-(?:0|d|-null|-delimiter)$/.test(name));
  const items = itemsOf(text, replaced !== undefined || lines);
  const command = parsed.operands.length === 0 ? ["echo"] : parsed.operands;
  if (replaced === undefined) return call.run.engine.inner(call, [...command, ...items], { stdin: noText });
  const mark = replaced[1] === null || replaced[1] === "" ? "{}" : replaced[1];
  let output = noText;
  for (const item of items.slice(0, 16)) {
    const argv = command.map((word) => word.replaceAll(mark, item));
    output = call.run.engine.inner(call, argv, { stdin: noText });
  }
  return output;
}

const parallelOptions =
  "jNnILSaPdE jobs max-args max-replace-args delay timeout retries colsep arg-file joblog results sshlogin workdir tmpdir halt env load memfree";

/** GNU `parallel`: the command is shell text, its arguments follow `:::` or come from standard input. */
export function parallel(call: Call): Stream {
  const words = call.argv.slice(1);
  const at = words.findIndex((word) => /^:::[+:]?\+?$/.test(word));
  const parsed = readOptions(at < 0 ? words : words.slice(0, at), parallelOptions, true);
  const given =
    at < 0 ? itemsOf(call.stdin.text, true) : words.slice(at + 1).filter((word) => !/^:::/.test(word));
  const items = words[at] === "::::" ? [SOME] : given;
  const template = parsed.operands.join(" ");
  if (has(parsed, "--dry-run", "--dryrun")) return unknownText;
  let output = noText;
  if (template === "" && at < 0) {
    recordStep(call, "parallel");
    noteOrigin(call, call.stdin);
  }
  for (const item of items.slice(0, 16)) {
    const text = /\{[^}]*\}/.test(template)
      ? template.replace(/\{(?:[./]|\/[./]|\d|#|%)*\}/g, () => item)
      : `${template} ${item}`.trim();
    output = call.run.engine.text(call, text, call.scope, noText);
  }
  return output;
}

function fetchedText(call: Call): string {
  const { text, from } = call.stdin;
  return from === "network" && isOpaque(text) ? FETCHED : text;
}

/** What this very text wrote to the file. */
function writtenText({ scope }: Call, file: string): string {
  return scope.files.get(absolute(scope.cwd, file))?.text ?? SOME;
}

function itemsOf(text: string, whole: boolean): string[] {
  const lines = text.split(whole ? /[\n\0]/ : /[\s\0]+/).map((item) => unquote(item.trim()));
  const items = lines.filter((item) => item !== "").slice(0, 512);
  return items.length === 0 ? [SOME] : items;
}

function unquote(item: string): string {
  return isKnown(item) && /^(["']).*\1$/.test(item) ? item.slice(1, -1) : item;
}

/** Runs a command for every item by itself. */
export function runForEach(call: Call, command: readonly string[], items: readonly string[]): Stream {
  let output = noText;
  for (const item of items.slice(0, 16)) output = runFor(call, command, [item]);
  return items.length > 16 ? runFor(call, command, items.slice(16)) : output;
}

/** Runs a command once with every item in the place of `{}`. */
export function runFor(call: Call, command: readonly string[], items: readonly string[]): Stream {
  const args = command.flatMap((word) => (word === "{}" ? items : spread(word, "{}", items)));
  return call.run.engine.inner(call, args, { stdin: noText });
}

function spread(word: string, mark: string, items: readonly string[]): string[] {
  if (!word.includes(mark)) return [word];
  return items.length === 1
    ? [word.replaceAll(mark, items[0] ?? SOME)]
    : [word.replaceAll(mark, items.join(" "))];
}
