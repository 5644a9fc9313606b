import type { Step } from "../../shell/model.ts";
import { has, readOptions } from "../../shell/options.ts";
import { pathsOf, wholeTree } from "./commands/git-source.ts";
import { leavesOutBelow } from "./commands/pathspecs.ts";

/** A file relative to the project, and the folder that git ignores as a whole, where it lies in one. */
interface Left {
  readonly path: string;
  readonly from: string | null;
}

/** How a git command takes everything but these; null where it has no way to say so. */
export function leavingOut(step: Step, left: readonly Left[], root: string): string | null {
  if (left.some(({ path }) => path.startsWith("/"))) return null;
  const { args, cwd } = step;
  const [verb = "", ...rest] = args;
  if (verb === "clean" && rest.some((word) => leavesOutBelow(word, { cwd, root }))) return null;
  if (verb === "clean")
    return `add \`${excluding(rest, left)}\`${args.includes("--") ? " in front of `--`" : ""}`;
  const top = cwd === root ? "" : "/";
  const out = left.map(({ path }) => quoted(`:!${top}${path}`)).join(" ");
  if (verb === "stash") return `\`${stashing(rest, top === "" ? "." : ":/", out)}\``;
  return pathsOf(step).length > 0 && wholeTree(step) ? `add \`${out}\` at its end` : null;
}

/** With `-X`, what `-e` names goes as well, and what it takes out of a folder stays only with the folder. */
function excluding(rest: readonly string[], left: readonly Left[]): string {
  const only = has(readOptions(rest, "e exclude"), "-X");
  const patterns = left.flatMap(({ path, from }) => {
    const escaped = path.replace(/[*?[\\]/g, "\\$&").replace(/^[!#]/, "\\$&");
    if (!only) return [escaped];
    const levels = escaped.split("/");
    const first = from === null ? levels.length : from.split("/").length;
    return levels
      .map((_, at) => `!${levels.slice(0, at + 1).join("/")}${at < levels.length - 1 ? "/" : ""}`)
      .slice(first - 1);
  });
  return [...new Set(patterns)].map((pattern) => `-e ${quoted(pattern)}`).join(" ");
}

function stashing(rest: readonly string[], all: string, out: string): string {
  const [verb = ""] = rest;
  const parsed = readOptions(verb.startsWith("-") ? rest : rest.slice(1), "m message pathspec-from-file");
  const flags = [
    has(parsed, "-a", "--all") ? " -a" : has(parsed, "-u", "--include-untracked") ? " -u" : "",
    has(parsed, "-k", "--keep-index") ? " -k" : "",
  ].join("");
  const named = verb === "save" || parsed.operands.length === 0 ? [all] : parsed.operands;
  return `git stash push${flags} -- ${named.map(quoted).join(" ")} ${out}`;
}

function quoted(word: string): string {
  return /^[\w./@+:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
