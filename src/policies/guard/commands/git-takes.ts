import type { UnsavedFile } from "../../../core/repository.ts";
import { globMatcher } from "../../../paths/glob.ts";
import { isKnown } from "../../../shell/marks.ts";
import type { Step } from "../../../shell/model.ts";
import { has, optionValue, optionValues, readOptions } from "../../../shell/options.ts";
import { baseOf } from "../../../shell/place.ts";
import { branchOf, otherCommit, pathsOf, sourceOf, wholeTree } from "./git-source.ts";
import { leavesOutBelow, type Picks, pathspecs, programGlob } from "./pathspecs.ts";

/** What a git command takes out of the working tree. */
export interface Taken {
  /** Files that git does not know, or ignores, may be among them. */
  readonly ignored: boolean;
  /** It puts them into the stash, from where they come back. */
  readonly keeps: boolean;
  /** Files that this commit holds take the place of those that git does not track here; null where none does. */
  readonly commit: string | null;
  /** @param from the folder that git ignores as a whole, where the file lies in one */
  takes(file: UnsavedFile, from?: string): boolean;
}

const usual = { ignored: false, keeps: false, commit: null };

/**
 * Which uncommitted files a git command takes out of the whole working tree; null when it takes none, and when it
 * takes more than the working tree tells.
 * @param before the steps in front of it, where a `git add` may have made new files known
 * @param root of the working tree
 */
export function takenBy(step: Step, before: readonly Step[], root: string): Taken | null {
  const { name, args } = step;
  if (name !== "git" || !args.every(isKnown)) return null;
  const [verb = "", ...rest] = args;
  switch (verb) {
    case "reset":
      return resets(rest) ? changes(addedBy(before, root)) : null;
    case "clean":
      return cleaned(step, rest, root);
    case "checkout":
    case "restore":
    case "switch":
      return checkedOut(step, rest, before, root);
    case "checkout-index":
      return isForced(rest) ? fromIndex(changes(nothing)) : null;
    case "stash":
      return stashed(step, rest, before, root);
    default:
      return null;
  }
}

/** @param added new files that are known to git by now, and go as well */
function changes(added: Picks, named: Picks = () => true): Taken {
  return {
    ...usual,
    takes: ({ kind, path }) => (kind === "tracked" || (kind === "untracked" && added(path))) && named(path),
  };
}

function checkedOut(
  step: Step,
  rest: readonly string[],
  before: readonly Step[],
  root: string,
): Taken | null {
  // What another commit holds may also take the place of what is committed here.
  if (otherCommit(step) !== null) return null;
  const commit = isForced(rest) ? branchOf(step) : null;
  if (commit !== null) return { ...changes(addedBy(before, root)), ignored: true, commit };
  const whole = wholeTree(step);
  if (!whole && !isForced(rest)) return null;
  const added = isForced(rest) || fromCommit(rest) ? addedBy(before, root) : nothing;
  const paths = pathsOf(step);
  const some = whole || paths.length > 0;
  const taken = changes(added, some ? pathspecs(paths, { cwd: step.cwd, root, alone: root }) : undefined);
  return whole && sourceOf(step)?.staged === false ? fromIndex(taken) : taken;
}

/** What the index holds already stays there. */
function fromIndex(taken: Taken): Taken {
  return { ...taken, takes: (file) => !(file.kind === "tracked" && file.staged) && taken.takes(file) };
}

/** Another commit than the current one would leave the branch's own commits behind. */
function resets(rest: readonly string[]): boolean {
  const parsed = readOptions(rest);
  return has(parsed, "--hard", "--merge") && parsed.operands.every((word) => word === "HEAD" || word === "@");
}

function isForced(rest: readonly string[]): boolean {
  return has(readOptions(rest, "bBcCs orphan conflict source"), "-f", "--force", "--discard-changes");
}

/** Files come from a commit, not from the index: what was only added is gone. */
function fromCommit(rest: readonly string[]): boolean {
  return has(readOptions(rest, "s source conflict"), "-s", "--source", "-S", "--staged");
}

const nothing: Picks = () => false;

/** Which new files earlier steps told git about. A commit after that holds them. */
function addedBy(before: readonly Step[], root: string): Picks {
  return picksOf(before.slice(lastCommit(before) + 1), root);
}

/** What was added and then committed. Should the commit fail, the stash still keeps it. */
function savedBy(before: readonly Step[], root: string): Picks {
  return picksOf(before.slice(0, lastCommit(before) + 1), root);
}

function lastCommit(steps: readonly Step[]): number {
  return steps.findLastIndex(({ name, args }) => name === "git" && args[0] === "commit");
}

function picksOf(steps: readonly Step[], root: string): Picks {
  const added = steps.flatMap((step) => {
    if (step.name !== "git") return [];
    const [verb, ...rest] = step.args;
    if (verb !== "add" && verb !== "stage") return [];
    const parsed = readOptions(rest, "- chmod pathspec-from-file");
    if (has(parsed, "-u", "--update", "-n", "--dry-run", "-N", "--intent-to-add")) return [];
    return [
      pathspecs(parsed.operands.every(isKnown) ? parsed.operands : [], { cwd: step.cwd, root, alone: root }),
    ];
  });
  return added.length === 0 ? nothing : (path) => added.some((picks) => picks(path));
}

function cleaned(step: Step, rest: readonly string[], root: string): Taken | null {
  const parsed = readOptions(rest, "e exclude");
  const unforced = /^(?:false|0|no|off)$/.test(step.env.get("config clean.requireforce") ?? "");
  if (has(parsed, "-n", "--dry-run") || !(has(parsed, "-f", "--force") || unforced)) return null;
  const [all, only] = [has(parsed, "-x"), has(parsed, "-X")];
  const rules = optionValues(parsed, "-e", "--exclude").map(ignoreRule);
  const at = { cwd: step.cwd, root, alone: step.cwd };
  // A folder that git does not know goes as a whole, whatever a pathspec leaves out below it, and then `-e` as well.
  const firstLevel = (path: string) => `${root}/${path.slice(root.length + 1).split("/", 1)}`;
  const named = pathspecs(parsed.operands, at, firstLevel);
  const outside = pathspecs(
    parsed.operands.filter((word) => leavesOutBelow(word, at)),
    { ...at, alone: root },
  );
  return {
    ...usual,
    ignored: all || only || rules.some(({ ignores }) => !ignores),
    takes: ({ kind, path, folder }, from = path) => {
      if (kind === "tracked" || !named(path)) return false;
      const levels = path.slice(root.length + 1).split("/");
      const said = levels.map((_, at) => {
        const isFile = at === levels.length - 1 && !folder;
        const level = levels.slice(0, at + 1).join("/");
        return rules.findLast((rule) => rule.fits(level) && !(rule.onlyFolders && isFile))?.ignores ?? null;
      });
      if (!outside(path)) said.splice(1);
      const isIgnored = said.includes(true);
      if (!only) return !isIgnored && (all || kind === "untracked" || said.includes(false));
      if (isIgnored || kind === "untracked") return isIgnored;
      // From the folder that is ignored down, something else may ignore what is in it.
      const ignoredFrom = from.slice(root.length + 1).split("/").length - 1;
      return said.slice(ignoredFrom).some((one) => one !== false);
    },
  };
}

export interface IgnoreRule {
  readonly ignores: boolean;
  readonly onlyFolders: boolean;
  /** Of one level: a path below the root. */
  fits(level: string): boolean;
}

/** A pattern of `.gitignore`, as `git clean -e` takes it. */
export function ignoreRule(pattern: string): IgnoreRule {
  const plain = pattern.replace(/^!/, "").replace(/\/$/, "");
  const matches = globMatcher(programGlob(plain.replace(/^\//, "").replace(/\\(?=[!#])/, "")));
  const fits = plain.includes("/") ? matches : (level: string) => matches(baseOf(level));
  return { ignores: !pattern.startsWith("!"), onlyFolders: pattern.endsWith("/"), fits };
}

function stashed(step: Step, rest: readonly string[], before: readonly Step[], root: string): Taken | null {
  const [verb = "push"] = rest;
  if (!verb.startsWith("-") && verb !== "push" && verb !== "save") return null;
  const parsed = readOptions(verb.startsWith("-") ? rest : rest.slice(1), "m message pathspec-from-file");
  if (has(parsed, "-p", "--patch") || optionValue(parsed, "--pathspec-from-file") !== null) return null;
  const [added, saved] = [addedBy(before, root), savedBy(before, root)];
  const ignored = has(parsed, "-a", "--all");
  const untracked = ignored || has(parsed, "-u", "--include-untracked");
  const named = pathspecs(verb === "save" ? [] : parsed.operands, { cwd: step.cwd, root, alone: root });
  return {
    ...usual,
    ignored,
    keeps: true,
    takes: ({ kind, path }) =>
      (kind === "tracked" || (kind === "untracked" ? untracked || added(path) : ignored)) &&
      named(path) &&
      !saved(path),
  };
}
