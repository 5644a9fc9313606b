import { generated } from "../listing.ts";
import { DEEP, FEW, globbed, isBroad, literally, STAR } from "../marks.ts";
import type { Call, Stream } from "../model.ts";
import { copyScope, noText, textStream, unknownText } from "../model.ts";
import { asList } from "../name-list.ts";
import { absolute, baseOf, parentOf } from "../place.ts";
import { recordStep, touch } from "../record.ts";
import { runFor, runForEach } from "./each.ts";

/** How a touch says that `find` deletes what it comes to, one by one. */
export const findDeletes = "find -delete";

/** `find`: what it lists, deletes, and runs for each result. */
export function find(call: Call): Stream {
  recordStep(call, "find");
  if (call.argv.includes("--help")) return unknownText;
  const { starts, tests } = findStarts(call.argv);
  const search = searchOf(tests);
  const items = starts.flatMap((start) => found(start, search));
  const list = { argv: call.argv.map(literally), cwd: call.scope.cwd, among: null };
  for (const file of search.outputs) touch(call, "write", file, "find writes its list");
  if (search.deletes) {
    // A link that is followed is searched as with a slash at its end.
    const end = search.everything && followsStart(call.argv) ? "/" : "";
    for (const item of items)
      touch(call, "delete", item + end, findDeletes, { tree: search.everything, list });
  }
  let output = noText;
  const listed = search.everything ? items.flatMap((item) => everythingIn(item, search)) : items;
  const all = asList(call, textStream(`${listed.join("\n")}\n`, "program"));
  for (const command of search.commands) output = runCommand(call, command, listed);
  return search.commands.length > 0 ? output : all;
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

/** Where `find` begins, and its expression. */
export function findStarts(argv: readonly string[]): { starts: string[]; tests: readonly string[] } {
  const words = argv.slice(1).filter((word) => !/^-(?:[HLP]|O\d)$/.test(word));
  const first = words.findIndex((word) => /^[-(!]/.test(word) || word === "\\(" || word === "\\!");
  const starts = first < 0 ? words : words.slice(0, first);
  return { starts: starts.length === 0 ? ["."] : starts, tests: first < 0 ? [] : words.slice(first) };
}

/** Are links followed, at least those that are named? The last of the three options counts. */
function followsStart(argv: readonly string[]): boolean {
  const last = argv.findLast((word) => /^-[HLP]$/.test(word));
  return (last !== undefined && last !== "-P") || argv.includes("-follow");
}

const pickyTests =
  /^-(?:[acm](?:min|time)|newer\w*|anewer|cnewer|empty|size|user|group|uid|gid|perm|links|inum|samefile|used|nouser|nogroup|i?regex)$/;
const nameTests = /^-i?name$/;
const regexTests = /^-i?regex$/;
const pathTests = /^-i?(?:path|wholename)$/;
const typeTests = /^-x?type$/;
const commandTests = /^-(?:exec|execdir|ok|okdir)$/;
const outputTests = /^-(?:fprint0?|fprintf|fls)$/;
const prints = /^-(?:print0?|printf|ls)$/;

function searchOf(tests: readonly string[]): Search {
  const branches = branchesOf(tests);
  const acting = branches.filter((branch) => branch.some((word) => isAction(word)));
  const search = newSearch();
  const counting =
    acting.length > 0
      ? acting
      : branches.filter((branch) => branches.length < 2 || !branch.includes("-prune"));
  const restricts = counting.map((branch) => readBranch(branch, search));
  for (const branch of branches)
    if (branch.includes("-prune") && branches.length > 1) readPruned(branch, search);
  search.everything = restricts.includes("nothing");
  if (restricts.includes("picky") && search.names.length > 0) search.names.push(FEW);
  return search;
}

function newSearch(): Search {
  return {
    names: [],
    paths: [],
    everything: false,
    deletes: false,
    shallow: false,
    onlyFiles: false,
    excludes: false,
    commands: [],
    outputs: [],
  };
}

/** What stands between `-o`: an action belongs to what stands in front of it there. */
function branchesOf(tests: readonly string[]): string[][] {
  const branches: string[][] = [[]];
  let depth = 0;
  for (let at = 0; at < tests.length; at++) {
    const word = tests[at] ?? "";
    if (commandTests.test(word)) {
      const end = commandEnd(tests, at + 1);
      branches.at(-1)?.push(...tests.slice(at, end + 1));
      at = end;
    } else {
      if (/^\\?[()]$/.test(word)) depth += word.endsWith("(") ? 1 : -1;
      if (depth === 0 && (word === "-o" || word === "-or")) branches.push([]);
      else branches.at(-1)?.push(word);
    }
  }
  return branches;
}

function isAction(word: string): boolean {
  return word === "-delete" || commandTests.test(word) || outputTests.test(word) || prints.test(word);
}

/** Takes one branch into the search; says what restricts the files that its first action comes to. */
function readBranch(tests: readonly string[], search: Search): "names" | "picky" | "nothing" {
  const names: string[] = [];
  const paths: string[] = [];
  let picky = false;
  let acts = false;
  // Brackets open behind a `!`.
  let without = 0;
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at] ?? "";
    const value = tests[at + 1] ?? "";
    const before = /^\\?!$|^-not$/.test(tests[at - 1] ?? "");
    if (/^\\?\($/.test(test) && (before || without > 0)) without++;
    if (/^\\?\)$/.test(test) && without > 0) without--;
    const negated = before || without > 0;
    const named = nameTests.test(test) || pathTests.test(test);
    if (commandTests.test(test)) {
      const end = commandEnd(tests, at + 1);
      const together = tests[end] === "+";
      search.commands.push({ argv: tests.slice(at + 1, end), inFolder: test.endsWith("dir"), together });
      at = end;
    } else if (test === "-delete") search.deletes = true;
    else if (outputTests.test(test)) search.outputs.push(value);
    else if (test === "-maxdepth" && value === "1") search.shallow = true;
    else if (!acts && named && negated) search.excludes ||= !generated.test(value);
    else if (!acts && nameTests.test(test)) names.push(globbed(value));
    else if (!acts && pathTests.test(test)) paths.push(value);
    else if (!acts && regexTests.test(test) && !negated && namesOf(value).length > 0)
      names.push(...namesOf(value));
    else if (!acts && pickyTests.test(test)) picky ||= !negated;
    else if (!acts && typeTests.test(test) && value === "f") search.onlyFiles = true;
    else if (!acts && typeTests.test(test) && /^[lpsbc]$/.test(value)) picky = true;
    acts ||= isAction(test);
  }
  search.names.push(...names);
  search.paths.push(...paths);
  if (paths.length > 0 || names.some((name) => !isBroad(name))) return "names";
  return picky ? "picky" : "nothing";
}

/** `-name x -prune -o …`. */
function readPruned(tests: readonly string[], search: Search): void {
  const at = tests.findIndex((test) => nameTests.test(test) || pathTests.test(test));
  if (at >= 0 && !tests.some(isAction)) search.excludes ||= !generated.test(tests[at + 1] ?? "");
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
