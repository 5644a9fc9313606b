import { hasGlob } from "../../../shell/marks.ts";
import type { Step } from "../../../shell/model.ts";
import { has, optionValue, readOptions } from "../../../shell/options.ts";
import { leavesOut } from "../../../shell/tools/git.ts";

/** The commit that a `checkout` or `restore` takes files from, where it is not the current one. */
export function otherCommit(step: Step): string | null {
  const source = sourceOf(step)?.commit ?? null;
  return source === "HEAD" || source === "@" ? null : source;
}

/** `git checkout .`, `git restore .`: nothing is named, so everything is meant. */
export function wholeTree(step: Step): boolean {
  const paths = pathsOf(step);
  return paths.some((word) => everything.test(word)) || (paths.length > 0 && paths.every(isLeftOut));
}

/** The pathspecs of a `checkout` or `restore`. */
export function pathsOf(step: Step): readonly string[] {
  return sourceOf(step)?.paths ?? [];
}

/** `:!docs` alone: everything but that. */
function isLeftOut(word: string): boolean {
  return leavesOut.test(word);
}

/** The commit that a `checkout` or `switch` without pathspecs goes to; null where it stays. */
export function branchOf({ args: [verb = "", ...rest] }: Step): string | null {
  if (verb !== "checkout" && verb !== "switch") return null;
  const { operands, beforeDashes } = readOptions(rest, verb === "checkout" ? checkoutOptions : switchOptions);
  const [first] = operands;
  if (first === undefined || operands.length > 1 || beforeDashes === 0 || everything.test(first)) return null;
  return first === "HEAD" || first === "@" ? null : first === "-" ? "@{-1}" : first;
}

/** A pattern of files that come from another commit: nobody knows which it overwrites. */
export function takesPattern(step: Step): boolean {
  if (otherCommit(step) === null) return false;
  return sourceOf(step)?.paths.some((word) => hasGlob(word) || /[*?[]|^:/.test(word)) === true;
}

/** `git checkout -B main HEAD~3` moves a branch, as `git branch -f` does. */
export function movesBranch(step: Step): boolean {
  return movedBranch(step) !== null;
}

/** The branch that is made anew somewhere else; null where none is. */
export function movedBranch(step: Step): string | null {
  const [verb = "", ...rest] = step.args;
  const create = verb === "checkout" ? "-B" : verb === "switch" ? "-C" : null;
  if (create === null) return null;
  const parsed = readOptions(rest, verb === "checkout" ? checkoutOptions : switchOptions);
  return parsed.operands.length > 0 ? optionValue(parsed, create, "--force-create") : null;
}

const everything =
  /^(?:\.\/?|(?:\.\/)?[*\uE002\uE005]+(?:\/[*\uE002\uE005]+)*\/?|:\/\*?|:\(top\)|:\/\.|:\((?!(?:\w+,)*exclude)[\w,]*\)\**|\/home\/.*\/\.|\.\.(?:\/\.\.)*\/?)$/;
const checkoutOptions = "bB orphan conflict pathspec-from-file";
const switchOptions = "cC create force-create orphan conflict";
const restoreOptions = "s source conflict pathspec-from-file";

/** What a command takes files from, and which. */
interface Source {
  /** Null: the index. */
  readonly commit: string | null;
  readonly paths: readonly string[];
  /** What is staged goes as well. */
  readonly staged: boolean;
}

/** Null where a command changes no files of the working tree. */
export function sourceOf(step: Step): Source | null {
  const [verb = "", ...rest] = step.args;
  if (verb === "restore") {
    const parsed = readOptions(rest, restoreOptions);
    const staged = has(parsed, "-S", "--staged");
    if (has(parsed, "-p", "--patch") || (staged && !has(parsed, "-W", "--worktree"))) return null;
    return { commit: optionValue(parsed, "-s", "--source"), paths: parsed.operands, staged };
  }
  if (verb !== "checkout") return null;
  const parsed = readOptions(rest, checkoutOptions);
  if (has(parsed, "-b", "-B", "--orphan", "-p", "--patch")) return null;
  const { operands, beforeDashes } = parsed;
  const [first = ""] = operands;
  const named =
    beforeDashes < operands.length
      ? beforeDashes > 0
      : operands.length > 1 && !everything.test(first) && !/[*?[]|\.[a-zA-Z]\w*$/.test(first);
  return { commit: named ? first : null, paths: operands.slice(named ? 1 : 0), staged: named };
}
