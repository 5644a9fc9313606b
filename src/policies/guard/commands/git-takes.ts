import type { UnsavedFile } from "../../../core/repository.ts";
import { globMatcher } from "../../../paths/glob.ts";
import { isKnown } from "../../../shell/marks.ts";
import type { Step } from "../../../shell/model.ts";
import { has, optionValue, optionValues, type Parsed, readOptions } from "../../../shell/options.ts";
import { absolute } from "../../../shell/place.ts";
import { leavesOut } from "../../../shell/tools/git.ts";
import { otherCommit, wholeTree } from "./git-source.ts";

/** What a git command takes out of the working tree. */
export interface Taken {
  /** Files that git does not know, or ignores, may be among them. */
  readonly ignored: boolean;
  /** It puts them into the stash, from where they come back. */
  readonly keeps: boolean;
  takes(file: UnsavedFile): boolean;
}

/**
 * Which uncommitted files a git command takes out of the whole working tree; null when it takes none, and when it
 * takes more than the working tree tells.
 * @param before the steps in front of it, where a `git add` may have made new files known
 */
export function takenBy(step: Step, before: readonly Step[]): Taken | null {
  const { name, args } = step;
  if (name !== "git" || !args.every(isKnown)) return null;
  const [verb = "", ...rest] = args;
  switch (verb) {
    case "reset":
      return resets(rest) ? changes(addedBy(before)) : null;
    case "clean":
      return cleaned(step, rest);
    case "checkout":
    case "restore":
      // What another commit holds may also take the place of what is committed here.
      if (otherCommit(step) !== null || !(wholeTree(step) || isForced(rest))) return null;
      return changes(isForced(rest) || fromCommit(rest) ? addedBy(before) : nothing);
    case "switch":
      return isForced(rest) ? changes(addedBy(before)) : null;
    case "checkout-index":
      return isForced(rest) ? changes(nothing) : null;
    case "stash":
      return stashed(step, rest, before);
    default:
      return null;
  }
}

/** @param added new files that are known to git by now, and go as well */
function changes(added: Picks): Taken {
  return {
    ignored: false,
    keeps: false,
    takes: ({ kind, path }) => kind === "tracked" || (kind === "untracked" && added(path)),
  };
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

type Picks = (path: string) => boolean;

const nothing: Picks = () => false;

/** Which new files earlier steps told git about. A commit after that holds them. */
function addedBy(before: readonly Step[]): Picks {
  return picksOf(before.slice(lastCommit(before) + 1));
}

/** What was added and then committed. Should the commit fail, the stash still keeps it. */
function savedBy(before: readonly Step[]): Picks {
  return picksOf(before.slice(0, lastCommit(before) + 1));
}

function lastCommit(steps: readonly Step[]): number {
  return steps.findLastIndex(({ name, args }) => name === "git" && args[0] === "commit");
}

function picksOf(steps: readonly Step[]): Picks {
  const added = steps.flatMap((step) => {
    if (step.name !== "git") return [];
    const [verb, ...rest] = step.args;
    if (verb !== "add" && verb !== "stage") return [];
    const parsed = readOptions(rest, "- chmod pathspec-from-file");
    if (has(parsed, "-u", "--update", "-n", "--dry-run", "-N", "--intent-to-add")) return [];
    return [pathspecs(step, parsed.operands.every(isKnown) ? parsed.operands : [])];
  });
  return added.length === 0 ? nothing : (path) => added.some((picks) => picks(path));
}

function cleaned(step: Step, rest: readonly string[]): Taken | null {
  const parsed = readOptions(rest, "e exclude");
  const unforced = /^(?:false|0|no|off)$/.test(step.env.get("config clean.requireforce") ?? "");
  if (has(parsed, "-n", "--dry-run") || !(has(parsed, "-f", "--force") || unforced)) return null;
  const [ignored, only] = [has(parsed, "-x", "-X"), has(parsed, "-X")];
  const spared = optionValues(parsed, "-e", "--exclude").map((pattern) => anywhere(pattern));
  const named = pathspecs(step, parsed.operands);
  return {
    ignored,
    keeps: false,
    takes: ({ kind, path }) =>
      (kind === "untracked" ? !only : kind === "ignored" && ignored) &&
      named(path) &&
      !spared.some((spares) => spares(path)),
  };
}

function stashed(step: Step, rest: readonly string[], before: readonly Step[]): Taken | null {
  const [verb = "push"] = rest;
  if (!verb.startsWith("-") && verb !== "push" && verb !== "save") return null;
  const parsed = readOptions(verb.startsWith("-") ? rest : rest.slice(1), "m message pathspec-from-file");
  if (has(parsed, "-p", "--patch") || optionValue(parsed, "--pathspec-from-file") !== null) return null;
  const [added, saved] = [addedBy(before), savedBy(before)];
  const ignored = has(parsed, "-a", "--all");
  const untracked = ignored || has(parsed, "-u", "--include-untracked");
  const named = pathspecs(step, verb === "save" ? [] : parsed.operands);
  return {
    ignored,
    keeps: true,
    takes: ({ kind, path }) =>
      (kind === "tracked" || (kind === "untracked" ? untracked || added(path) : ignored)) &&
      named(path) &&
      !saved(path),
  };
}

/** What pathspecs pick; `:!path` leaves out. None at all: everything. */
function pathspecs({ cwd }: Step, words: Parsed["operands"]): Picks {
  const out = words.flatMap((word) => leavesOut.exec(word)?.[1] ?? []);
  const picked = words.filter((word) => !leavesOut.test(word)).map((word) => below(absolute(cwd, word)));
  const left = out.map((word) => below(absolute(cwd, word)));
  return (path) =>
    (picked.length === 0 || picked.some((picks) => picks(path))) && !left.some((leaves) => leaves(path));
}

function below(pattern: string): Picks {
  const matches = globMatcher(`${pattern.slice(1)}/**`);
  return (path) => path.startsWith(`${pattern}/`) || path === pattern || matches(path.slice(1));
}

/** A pattern of `.gitignore`, as `git clean -e` takes it. */
function anywhere(pattern: string): Picks {
  const plain = pattern.replace(/^\/|\/$/g, "");
  const matches = globMatcher(`**/${plain}/**`);
  return (path) => matches(path.slice(1));
}
