import type { UnsavedFile } from "../../core/repository.ts";
import { globMatcher } from "../../paths/glob.ts";
import { plainPattern } from "../../shell/filter.ts";
import { grepOptions, lineTest, shapesOf } from "../../shell/grep.ts";
import { listsNames } from "../../shell/listing.ts";
import { isKnown } from "../../shell/marks.ts";
import type { NameList } from "../../shell/model.ts";
import { has, optionValues, type Parsed, readOptions } from "../../shell/options.ts";
import { absolute, baseOf } from "../../shell/place.ts";
import { fdOptions } from "../../shell/wrap/each.ts";
import { findStarts } from "../../shell/wrap/find.ts";
import type { Files } from "../context.ts";
import { ignoreRule } from "./commands/git-takes.ts";
import { pathspecs } from "./commands/pathspecs.ts";
import { kindOfEntry } from "./entry-kind.ts";
import { findComesTo } from "./find-tests.ts";

/** What git knows; null where nobody asked it. */
export interface Facts {
  /** What no commit holds. */
  readonly unsaved: readonly UnsavedFile[];
  /** What lists of differences name, relative to the root; null where git does not tell. */
  readonly names: ReadonlyMap<NameList, ReadonlySet<string> | null>;
}

/** Where one looks. */
export interface Looks {
  readonly files: Files;
  readonly root: string;
  readonly now: number;
  readonly facts: Facts | null;
}

/** May the file be among those that a program listed? What is not known counts as yes. */
export function isIn(list: NameList, path: string, looks: Looks): boolean {
  if (list.among !== null && !isIn(list.among, path, looks)) return false;
  const { argv, cwd } = list;
  const name = baseOf(argv[0] ?? "");
  if (name === "find" || name === "gfind") return findComesTo(argv, path, cwd, looks);
  if (name === "git") return isInGits(list, path, looks);
  if (/^fd(?:find)?$/.test(name)) return isFound(list, path, looks);
  if (!/^(?:[efz]?grep|rg|ag)$/.test(name)) return true;
  return listsNames(argv) ? isSearched(list, path, looks) : isLetThrough(list, path, looks);
}

/** Revisions between which the list shows what differs; null where it is another kind of list, or not known. */
export function revsOf({ argv }: NameList): readonly string[] | null {
  const [name = "", verb = "", ...rest] = argv;
  if (baseOf(name) !== "git") return null;
  const parsed = readOptions(rest, diffOptions);
  const [first, second] = parsed.operands;
  if (verb === "diff") {
    const cached = has(parsed, "--cached", "--staged") ? ["--cached"] : [];
    return [...cached, ...parsed.operands.slice(0, parsed.beforeDashes)];
  }
  const commit =
    verb === "show"
      ? (first ?? "HEAD")
      : verb === "stash" && first === "show"
        ? (second ?? "stash@{0}")
        : null;
  return commit === null ? null : [`${commit}^`, commit];
}

const diffOptions = "OGSUlnM?C? output inter-hunk-context diff-filter format";

function isInGits(list: NameList, path: string, { files, root, facts }: Looks): boolean {
  const [verb = "", ...rest] = list.argv.slice(1);
  const parsed = readOptions(
    rest,
    verb === "grep" ? grepOptions : `xX exclude exclude-from ${diffOptions.slice(9)}`,
  );
  const specs = verb === "ls-files" ? parsed.operands : parsed.operands.slice(parsed.beforeDashes);
  const named = verb === "ls-tree" || pathspecs(specs, { cwd: list.cwd, root, alone: root })(path);
  if (!named || (verb === "grep" && !holds("grep", rest, parsed, path, files))) return false;
  if (facts === null) return true;
  const kind = kindOf(path, facts);
  switch (verb) {
    case "ls-files":
      return isKindOf(parsed, kind, files.exists(path));
    case "grep":
      return kind === null || kind === "tracked" || has(parsed, "--untracked", "--no-index");
    case "ls-tree":
      return kind === null || kind === "tracked";
    case "status":
      return kind !== null && (kind !== "ignored" || has(parsed, "--ignored"));
    default:
      return facts.names.get(list)?.has(path.slice(root.length + 1)) !== false;
  }
}

function isKindOf(parsed: Parsed, kind: UnsavedFile["kind"] | null, isThere: boolean): boolean {
  const asked = (...names: string[]) => has(parsed, ...names);
  const [others, modified] = [asked("-o", "--others"), asked("-m", "--modified")];
  const deleted = asked("-d", "--deleted");
  const tracked = kind === null || kind === "tracked";
  if (asked("-i", "--ignored", "-u", "--unmerged", "-k", "--killed")) return true;
  if ((asked("-c", "--cached", "-s", "--stage") || !(others || modified || deleted)) && tracked) return true;
  if (others && !tracked) return kind === "untracked" || !asked("--exclude-standard");
  return (modified && kind === "tracked") || (deleted && !isThere);
}

/** How git knows a file of the project; null: a commit holds it as it is. */
function kindOf(path: string, { unsaved }: Facts): UnsavedFile["kind"] | null {
  const found = unsaved.find((file) => path === file.path || path.startsWith(`${file.path}/`));
  return found?.kind ?? null;
}

/** `fd`, and `rg` and `ag` where they choose, pass over what is hidden and what git ignores. */
function isPassedOver(
  below: string,
  path: string,
  { facts }: Looks,
  { hidden, ignored }: { readonly hidden: boolean; readonly ignored: boolean },
): boolean {
  if (!hidden && `/${below}`.includes("/.")) return true;
  return !ignored && facts !== null && kindOf(path, facts) === "ignored";
}

function isFound(list: NameList, path: string, looks: Looks): boolean {
  const parsed = readOptions(list.argv.slice(1), fdOptions);
  const below = belowStart(parsed.operands.slice(1), list.cwd, path);
  const all = has(parsed, "-u", "--unrestricted");
  const hidden = all || has(parsed, "-H", "--hidden");
  const ignored = all || has(parsed, "-I", "--no-ignore", "--no-ignore-vcs");
  if (isPassedOver(below, path, looks, { hidden, ignored })) return false;
  if (fitsAny(optionValues(parsed, "-E", "--exclude"), below)) return false;
  const depth = Number(optionValues(parsed, "-d", "--max-depth", "--exact-depth").at(-1) ?? Infinity);
  if (below.split("/").length > depth) return false;
  const types = optionValues(parsed, "-t", "--type");
  if (types.length > 0 && !types.some((type) => isOfType(type, path, looks.files))) return false;
  const [pattern = ""] = parsed.operands;
  const shape = has(parsed, "-g", "--glob", "-F", "--fixed-strings") ? null : plainPattern(pattern, true);
  const text = has(parsed, "-p", "--full-path") ? path : baseOf(path);
  return shape === null || !isKnown(pattern) || new RegExp(shape, "i").test(text);
}

/** A type of `fd`; what is not known counts as met. */
function isOfType(type: string, path: string, files: Files): boolean {
  const kind = kindOfEntry(path, files);
  if (/^(?:e|empty)$/.test(type)) return kind !== "f" || (files.readText(path) ?? "") === "";
  return !/^[fdl]|^symlink$/.test(type) || type.replace("symlink", "l").startsWith(kind);
}

/** Does a pattern fit the path, or a folder that it lies in? */
function fitsAny(patterns: readonly string[], below: string): boolean {
  const levels = below.split("/").map((_, at, parts) => parts.slice(0, at + 1).join("/"));
  return patterns.map(ignoreRule).some(({ fits }) => levels.some(fits));
}

/** The files that `grep -l` and programs like it search. */
function isSearched({ argv, cwd, among }: NameList, path: string, looks: Looks): boolean {
  const [name = "", ...args] = argv;
  const parsed = readOptions(args, grepOptions);
  const below = belowStart(parsed.operands.slice(1), cwd, path);
  if (/^(?:rg|ag)$/.test(baseOf(name))) {
    if (among === null && isLeftByRg(parsed, below, path, looks)) return false;
    return argv.includes("--files") || holds(baseOf(name), args, parsed, path, looks.files);
  }
  const fits = (patterns: readonly string[], names: readonly string[]) =>
    patterns.some((pattern) => names.some(globMatcher(pattern)));
  const [included, folders] = [optionValues(parsed, "--include"), below.split("/").slice(0, -1)];
  if (included.length > 0 && !fits(included, [baseOf(path)])) return false;
  if (fits(optionValues(parsed, "--exclude"), [baseOf(path)])) return false;
  if (fits(optionValues(parsed, "--exclude-dir"), folders)) return false;
  return holds(baseOf(name), args, parsed, path, looks.files);
}

function isLeftByRg(parsed: Parsed, below: string, path: string, looks: Looks): boolean {
  const more = parsed.options.filter(([name]) => name === "-u" || name === "--unrestricted").length;
  const hidden = more > 1 || has(parsed, "-.", "--hidden");
  const ignored = more > 0 || has(parsed, "--no-ignore", "--no-ignore-vcs");
  if (isPassedOver(below, path, looks, { hidden, ignored })) return true;
  const globs = optionValues(parsed, "-g", "--glob", "--iglob");
  const [out, only] = [
    globs.filter((glob) => glob.startsWith("!")),
    globs.filter((glob) => !glob.startsWith("!")),
  ];
  if (fitsAny(out, below) || (only.length > 0 && !fitsAny(only, below))) return true;
  const types = optionValues(parsed, "-t", "--type").map((type) =>
    Object.hasOwn(endings, type) ? endings[type] : ".*",
  );
  return types.length > 0 && !types.some((end) => new RegExp(`\\.(?:${end})$`).test(path));
}

/** What files of some types end with. */
const endings: Readonly<Record<string, string>> = {
  ts: "[cm]?tsx?",
  js: "[cm]?jsx?|vue",
  py: "pyi?",
  go: "go",
  rust: "rs",
  java: "java",
  ruby: "rb",
  php: "php",
  c: "[ch]",
  cpp: "[ch](?:pp|xx|c|h)?",
  css: "s?css",
  html: "html?",
  md: "mdx?|markdown",
  json: "json",
  yaml: "ya?ml",
};

/** Does the file hold what is looked for? */
function holds(
  program: string,
  args: readonly string[],
  parsed: Parsed,
  path: string,
  files: Files,
): boolean {
  if (has(parsed, "-L", "--files-without-match", "-v", "--invert-match", "-f", "--file")) return true;
  const shapes = shapesOf(program, parsed, "im");
  if (shapes.length === 0 || shapes.includes(null) || args.includes("--not")) return true;
  const text = files.readText(path);
  return text === null || shapes.some((shape) => shape?.test(text) === true);
}

/** `… | grep word` reads names. */
function isLetThrough({ argv, among }: NameList, path: string, { root, facts }: Looks): boolean {
  const fits = lineTest(argv);
  return fits === null || printed(among, path, root, facts).some(fits);
}

/** The lines by which a list may name a file. */
function printed(list: NameList | null, path: string, root: string, facts: Facts | null): string[] {
  if (list === null) return [path, baseOf(path)];
  if (list.among !== null) return printed(list.among, path, root, facts);
  const { argv, cwd } = list;
  const [name = "", verb = ""] = argv;
  const within = (folder: string) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path);
  if (name === "git" && verb === "status") {
    const kind = facts === null ? null : kindOf(path, facts);
    const signs =
      kind === "untracked" ? ["??"] : kind === "ignored" ? ["!!"] : [" M", "M ", "MM", "A ", "AM"];
    return (kind === null ? ["??", ...signs] : signs).map((sign) => `${sign} ${within(cwd)}`);
  }
  if (name === "git") return [...new Set([within(cwd), within(root)])];
  const starts =
    name === "find" ? findStarts(argv).starts : readOptions(argv.slice(1), grepOptions).operands.slice(1);
  const start = starts.findLast((one) => path.startsWith(`${absolute(cwd, one)}/`));
  if (start === undefined) return [within(cwd)];
  return [`${start.replace(/\/+$/, "")}/${within(absolute(cwd, start))}`];
}

/** A path relative to the folder that was named for it. */
function belowStart(starts: readonly string[], cwd: string, path: string): string {
  const tops = [...starts.map((start) => absolute(cwd, start)), cwd];
  const top = tops.find((one) => path.startsWith(`${one}/`)) ?? "";
  return path.slice(top.length + 1);
}
