import type { UnsavedFile } from "../../core/repository.ts";
import type { ProtectHit } from "../../paths/protect.ts";
import type { Touch } from "../../shell/analyse.ts";
import { isKnown } from "../../shell/marks.ts";
import type { Analysis, Step } from "../../shell/model.ts";
import { has, optionValues, readOptions } from "../../shell/options.ts";
import { baseOf } from "../../shell/place.ts";
import type { Files } from "../context.ts";
import type { CommandHit } from "./risky-commands.ts";

/** How the same command leaves out a file that it comes to without naming it; empty where there is no short way. */
export function leavingOut({ path }: ProtectHit, touch: Touch, analysis: Analysis): string {
  const name = baseOf(path);
  const lister = listerOf(touch, analysis);
  const wrappers = analysis.steps[touch.step]?.wrappers ?? [];
  if (wrappers.includes("find") || lister?.name === "find")
    return `To leave it out, add \`-not -name '${name}'\` to find, or name the kind of files that are meant: \`-name '*.ts'\`.`;
  if (lister?.name === "git")
    return "To leave it out, list the kind of files that are meant: `git ls-files '*.ts'`.";
  if (lister !== null)
    return `To leave it out, add \`--exclude='${name}'\` to grep, or name the kind of files that are meant: \`--include='*.ts'\`.`;
  return "";
}

/** Whether a file that a pattern comes to is among those that were listed for the command. */
export type Listed = (touch: Touch, path: string) => boolean;

/**
 * Reads the lists of `grep -rl WORD`, by what the files hold, and of `git ls-files`.
 * @param known files that git does not track; null where nobody asked it
 */
export function listedBy(analysis: Analysis, files: Files, known: readonly UnsavedFile[] | null): Listed {
  const untracked = (known ?? []).filter(({ kind }) => kind !== "tracked").map((file) => file.path);
  return (touch, path) => {
    // A folder is neither written nor in a list of files; it goes only as a whole.
    if (!touch.tree && files.exists(`${path}/.`)) return false;
    const lister = listerOf(touch, analysis);
    if (lister === null) return true;
    if (listsTracked(lister))
      return !untracked.some((other) => path === other || path.startsWith(`${other}/`));
    const shapes = greppedFor(lister);
    const text = shapes === null ? null : files.readText(path);
    return text === null || shapes === null || shapes.some((shape) => shape.test(text));
  };
}

/** Would it help to know what git does not track? */
export function hangsOnGit({ where, rule }: CommandHit, analysis: Analysis): boolean {
  if (rule !== "protect") return false;
  return where.some(({ touch }) => {
    const lister = touch?.glob === true ? listerOf(touch, analysis) : null;
    return lister !== null && listsTracked(lister);
  });
}

function listsTracked({ name, args }: Step): boolean {
  return name === "git" && !has(readOptions(args.slice(1)), "-o", "--others", "--untracked", "--no-index");
}

/** What `grep` looks for; null where the pattern is no plain text, or files without it are listed. */
function greppedFor({ name, args }: Step): readonly RegExp[] | null {
  if (!/^(?:[ef]?grep|rg)$/.test(name)) return null;
  const parsed = readOptions(args, grepOptions);
  if (has(parsed, "-L", "--files-without-match", "-v", "--invert-match", "-f", "--file")) return null;
  const given = optionValues(parsed, "-e", "--regexp");
  const words = given.length > 0 ? given : parsed.operands.slice(0, 1);
  if (words.length === 0 || !words.every(isPlain)) return null;
  // A dot may stand for any sign; whole words and lines are only fewer.
  return words.map((word) => new RegExp(word, "i"));
}

/** Text that means the same, or more, as an expression. */
function isPlain(word: string): boolean {
  return isKnown(word) && /^[\w ./:@'"=,<>#%&!~-]+$/.test(word);
}

const grepOptions =
  "efmABCdDgtTjM regexp file max-count after-context before-context context include exclude exclude-dir exclude-from label glob type";

/** The command whose list of files is handed on to this one. */
function listerOf({ step }: Touch, { steps }: Analysis): Step | null {
  if (steps[step]?.wrappers.includes("xargs") !== true) return null;
  const found = steps.slice(0, step).findLast(({ name }) => /^(?:[ef]?grep|rg|git|find)$/.test(name));
  return found === undefined || (found.name === "git" && !/^(?:ls-files|grep)$/.test(found.args[0] ?? ""))
    ? null
    : found;
}
