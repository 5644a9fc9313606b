import { globMatcher } from "../../../paths/glob.ts";
import { absolute } from "../../../shell/place.ts";

/** Does it pick this absolute path? */
export type Picks = (path: string) => boolean;

/** Where pathspecs stand: git's `*` also crosses folders, and `:/x` is relative to the top. */
interface Place {
  readonly cwd: string;
  readonly root: string;
}

interface Where extends Place {
  /** The folder that is meant where none is picked. */
  readonly alone: string;
}

/**
 * What pathspecs pick; `:!path` leaves out.
 * @param leftBy what of a path those have to fit that leave out
 */
export function pathspecs(
  words: readonly string[],
  where: Where,
  leftBy = (path: string): string => path,
): Picks {
  const read = words.map((word) => readPathspec(word, where));
  const picked = read.filter(({ out }) => !out).map(({ path }) => path);
  // Spelled through a link, perhaps: what is not sure counts as picked.
  const picks = (picked.length === 0 ? [where.alone] : picked).map((path) => below(path, where.root, true));
  const leaves = read.filter(({ out }) => out).map(({ path }) => below(path, where.root, false));
  return (path) => picks.some((fits) => fits(path)) && !leaves.some((fits) => fits(leftBy(path)));
}

/** Does it leave out something in a folder of the project? */
export function leavesOutBelow(word: string, where: Place): boolean {
  const { out, path } = readPathspec(word, where);
  return out && path.slice(where.root.length + 1).includes("/");
}

/** A pathspec without the magic in front of it. */
function readPathspec(word: string, { cwd, root }: Place): { readonly out: boolean; readonly path: string } {
  const found = /^:(?:\(([^)]*)\)|([!^/]*):?)(.*)$/s.exec(word);
  const magic = found === null ? [] : (found[1]?.split(",") ?? [...(found[2] ?? "")]);
  const top = magic.some((one) => one === "top" || one === "/");
  return {
    out: magic.some((one) => /^(?:exclude|[!^])$/.test(one)),
    path: absolute(top ? root : cwd, found?.[3] ?? word),
  };
}

/** @param elsewhere what is said where the pattern lies outside the project */
function below(pattern: string, root: string, elsewhere: boolean): Picks {
  if (pattern === root) return () => true;
  if (!pattern.startsWith(`${root}/`)) return () => elsewhere;
  const name = pattern.slice(root.length + 1);
  const [itself, inside] = [acrossFolders(name), acrossFolders(`${name}/*`)];
  return (path) => {
    const text = path.slice(root.length + 1);
    return text === name || text.startsWith(`${name}/`) || itself(text) || inside(text);
  };
}

/** A pattern whose `*` also stands for folders. */
export function acrossFolders(pattern: string): (text: string) => boolean {
  const whole = (text: string) => text.replaceAll("/", ":");
  const matches = globMatcher(whole(pattern).replace(/\*+/g, "*"));
  return (text) => matches(whole(text));
}

/** A pattern as programs read it: a sign behind a backslash, and braces, stand for themselves. */
export function programGlob(pattern: string): string {
  return pattern.replace(/\\([*?[])/g, "[$1]").replaceAll("{", "[{]");
}
