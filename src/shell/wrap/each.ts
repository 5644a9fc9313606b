import { generated } from "../listing.ts";
import { DEEP, FETCHED, FEW, globbed, isBroad, isKnown, isOpaque, SOME, STAR } from "../marks.ts";
import type { Call, Stream } from "../model.ts";
import { copyScope, noText, textStream, unknownText } from "../model.ts";
import { has, optionValue, readOptions } from "../options.ts";
import { absolute, baseOf, parentOf } from "../place.ts";
import { recordStep, touch } from "../record.ts";
import { noteOrigin } from "../shells.ts";

/** `find`: what it lists, deletes, and runs for each result. */
export function find(call: Call): Stream {
  recordStep(call, "find");
  if (call.argv.includes("--help")) return unknownText;
  const { starts, tests } = startsOf(call.argv.slice(1).filter((word) => !/^-(?:[HLP]|O\d)$/.test(word)));
  const search = searchOf(tests);
  const items = starts.flatMap((start) => found(start, search));
  for (const file of search.outputs) touch(call, "write", file, "find writes its list");
  if (search.deletes) {
    for (const item of items) touch(call, "delete", item, "find -delete", { tree: search.everything });
  }
  let output = noText;
  const listed = search.everything ? items.flatMap((item) => everythingIn(item, search)) : items;
  for (const command of search.commands) output = runCommand(call, command, listed);
  return search.commands.length > 0 ? output : textStream(`${listed.join("\n")}\n`, "program");
}

interface Command {
  readonly argv: string[];
  /** It runs in the folder of each item. */
  readonly inFolder: boolean;
  /** It runs once for all items, as with `+` at its end. */
  readonly together: boolean;
}

interface Search {
  readonly names: string[];
  readonly paths: string[];
  /** Tests that pick some files by something else than their name. */
  picky: boolean;
  everything: boolean;
  deletes: boolean;
  shallow: boolean;
  onlyFiles: boolean;
  /** Some folders or names are left out. */
  excludes: boolean;
  readonly commands: Command[];
  readonly outputs: string[];
}

/** A folder without conditions stands for itself and for all that is in it. */
function everythingIn(start: string, search: Search): string[] {
  const below = `${start}/${DEEP}/${search.excludes ? FEW : STAR}`;
  return search.onlyFiles ? [below] : [start, below];
}

function startsOf(words: readonly string[]): { starts: string[]; tests: readonly string[] } {
  const first = words.findIndex((word) => /^[-(!]/.test(word) || word === "\\(" || word === "\\!");
  const starts = first < 0 ? [...words] : words.slice(0, first);
  return { starts: starts.length === 0 ? ["."] : starts, tests: first < 0 ? [] : words.slice(first) };
}

const pickyTests =
  /^-(?:[acm](?:min|time)|newer\w*|anewer|cnewer|empty|size|user|group|uid|gid|perm|links|inum|samefile|used|nouser|nogroup|i?regex)$/;
const nameTests = /^-i?name$/;
const pathTests = /^-i?(?:path|wholename)$/;
const commandTests = /^-(?:exec|execdir|ok|okdir)$/;
const outputTests = /^-(?:fprint0?|fprintf|fls)$/;

function searchOf(tests: readonly string[]): Search {
  const search: Search = {
    names: [],
    paths: [],
    picky: false,
    everything: false,
    deletes: false,
    shallow: false,
    onlyFiles: false,
    excludes: false,
    commands: [],
    outputs: [],
  };
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at] ?? "";
    const value = tests[at + 1] ?? "";
    const negated = tests[at - 1] === "!" || tests[at - 1] === "-not";
    const pruned = tests[at + 2] === "-prune" && tests.includes("-o");
    if ((negated || pruned) && (nameTests.test(test) || pathTests.test(test)))
      search.excludes ||= !generated.test(value);
    if (test === "-delete") search.deletes = true;
    else if (commandTests.test(test)) {
      const end = commandEnd(tests, at + 1);
      const together = tests[end] === "+";
      search.commands.push({ argv: tests.slice(at + 1, end), inFolder: test.endsWith("dir"), together });
      at = end;
    } else if (nameTests.test(test) && !negated && !pruned) search.names.push(globbed(value));
    else if (pathTests.test(test) && !negated && !pruned) search.paths.push(value);
    else if (outputTests.test(test)) search.outputs.push(value);
    else if (/^-i?regex$/.test(test) && !negated && namesOf(value).length > 0)
      search.names.push(...namesOf(value));
    else if (pickyTests.test(test)) search.picky ||= !negated;
    else if (test === "-maxdepth" && value === "1") search.shallow = true;
    else if (test === "-type" && value === "f") search.onlyFiles = true;
    else if (test === "-type" && /^[lpsbc]$/.test(value)) search.picky = true;
  }
  const named = search.names.filter((name) => !isBroad(name));
  search.everything = !search.picky && search.paths.length === 0 && named.length === 0;
  return search;
}

/** The names that a simple expression of `-regex` stands for, as globs: `.*\.pem`, `.*\.\(pem\|key\)`. */
function namesOf(regex: string): string[] {
  const found = /^\.\*(\/?)((?:[\w.-]|\\\.)*)(?:\\?\(((?:[\w.-]|\\\.|\\?\|)+?)\\?\))?\$?$/.exec(regex);
  if (found === null) return [];
  const ends = found[3]?.split(/\\?\|/) ?? [""];
  return ends
    .map((end) => `${found[2] ?? ""}${end}`.replaceAll("\\.", "."))
    .filter((name) => name !== "")
    .map((name) => (found[1] === "/" ? name : `${STAR}${name}`));
}

function commandEnd(tests: readonly string[], from: number): number {
  const end = tests.findIndex(
    (word, at) => at >= from && (word === ";" || (word === "+" && tests[at - 1] === "{}")),
  );
  return end < 0 ? tests.length : end;
}

function found(start: string, search: Search): string[] {
  const below = search.shallow ? start : `${start}/${DEEP}`;
  if (search.everything) return [start];
  if (search.names.length === 0 && search.paths.length === 0) return [`${below}/${FEW}`];
  return [
    ...search.names.map((name) => `${below}/${search.excludes ? name.replaceAll(STAR, FEW) : name}`),
    ...search.paths.map((path) => pathGlob(start, path)),
  ];
}

/** `-path`'s `*` also crosses folders. */
function pathGlob(start: string, pattern: string): string {
  const glob = pattern
    .split("/")
    .map((part) => (part === "*" || part === "**" ? DEEP : globbed(part)))
    .join("/");
  return pattern.startsWith("*") ? `${start}/${DEEP}/${glob}` : glob;
}

function runCommand(call: Call, { argv, inFolder, together }: Command, items: readonly string[]): Stream {
  if (inFolder) return runInFolders(call, argv, items);
  return together ? runFor(call, argv, items) : runForEach(call, argv, items);
}

function runForEach(call: Call, command: readonly string[], items: readonly string[]): Stream {
  let output = noText;
  for (const item of items.slice(0, 16)) output = runFor(call, command, [item]);
  return items.length > 16 ? runFor(call, command, items.slice(16)) : output;
}

/** Runs a command once with every item in the place of `{}`. */
function runFor(call: Call, command: readonly string[], items: readonly string[]): Stream {
  const args = command.flatMap((word) => (word === "{}" ? items : spread(word, "{}", items)));
  return call.run.engine.inner(call, args, { stdin: noText });
}

/** `-execdir` runs in the folder of each item. */
function runInFolders(call: Call, command: readonly string[], items: readonly string[]): Stream {
  let output = noText;
  for (const item of items.slice(0, 16)) {
    const cwd = absolute(call.scope.cwd, item.includes("/") ? parentOf(item) : ".");
    const scope = copyScope(call.scope, { cwd });
    output = runFor({ ...call, scope }, command, [item.includes("/") ? `./${baseOf(item)}` : item]);
  }
  return output;
}

function spread(word: string, mark: string, items: readonly string[]): string[] {
  if (!word.includes(mark)) return [word];
  return items.length === 1
    ? [word.replaceAll(mark, items[0] ?? SOME)]
    : [word.replaceAll(mark, items.join(" "))];
}

const fdOptions =
  "etdEcjoS max-depth min-depth exact-depth extension type exclude size changed-within changed-before owner color threads base-directory search-path ignore-file max-results format batch-size";

/** `fd pattern folders -x command`. */
export function fd(call: Call): Stream {
  recordStep(call, "fd");
  const words = call.argv.slice(1);
  const at = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word));
  const before = at < 0 ? words : words.slice(0, at);
  const parsed = readOptions(before, fdOptions);
  const extension = optionValue(parsed, "-e", "--extension");
  const [pattern = ".", ...folders] = parsed.operands;
  const name = extension !== null ? `${STAR}.${extension}` : fdName(pattern, has(parsed, "-g", "--glob"));
  const starts =
    folders.length > 0 ? folders : [optionValue(parsed, "--base-directory", "--search-path") ?? "."];
  const picky = has(parsed, "-S", "--size", "--changed-within", "--changed-before", "--owner");
  const items = starts.map((start) =>
    name === "" && !picky ? start : `${start}/${DEEP}/${name === "" ? FEW : name}`,
  );
  if (at < 0) return textStream(`${items.join("\n")}\n`, "program");
  const end = words.indexOf(";", at + 1);
  const command = words.slice(at + 1, end < 0 ? undefined : end);
  const each = /^(?:-x|--exec)$/.test(words[at] ?? "");
  const full = command.some((word) => word.includes("{")) ? command : [...command, "{}"];
  return each ? runForEach(call, full, items) : runFor(call, full, items);
}

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
