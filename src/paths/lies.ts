import type { World } from "../core/world.ts";

/**
 * Where an absolute path without `..` really lies, told in the words of the world: the project and the home folder
 * keep the names they are given by, whatever links lead to them.
 * @param own the last name stands for itself: a link that is deleted or replaced is not followed
 */
export function lies(path: string, world: World, own = false): string {
  return inGivenWords(own ? besideItself(path, world) : world.realpath(path), world);
}

/** Does the last name of an absolute path stand for something else? */
export function isLink(path: string, world: World): boolean {
  return world.realpath(path) !== besideItself(path, world);
}

/** Folders deep that `..` is followed. */
const deepest = 64;

/**
 * The absolute path that a system makes of `link/../x`, where `..` is the parent of what the link leads to; null
 * where there is no `..` or the path is too deep. Links in the result are not followed.
 */
export function upwards(cwd: string, written: string, world: World): string | null {
  const parts = written.split("/");
  if (world.platform === "win32" || parts.length > deepest || !parts.includes("..")) return null;
  let at = written.startsWith("/") ? "" : cwd;
  for (const part of parts)
    if (part === "..") at = parentOf(world.realpath(at === "" ? "/" : at));
    else if (part !== "" && part !== ".") at = `${at}/${part}`;
  return at === "" ? "/" : at;
}

function besideItself(path: string, world: World): string {
  const at = path.lastIndexOf("/");
  const folder = path.slice(0, at);
  // A drive without its slash would be the working directory there.
  const real = world.realpath(at <= 0 || folder.endsWith(":") ? `${folder}/` : folder);
  return real.replace(/\/$/, "") + path.slice(at);
}

function inGivenWords(real: string, world: World): string {
  for (const given of [world.root ?? world.cwd, world.home]) {
    const there = world.realpath(given);
    if (real === there || real.startsWith(`${there}/`)) return given + real.slice(there.length);
  }
  return real;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
