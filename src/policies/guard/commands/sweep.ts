import type { World } from "../../../core/world.ts";
import { globMatcher } from "../../../paths/glob.ts";
import type { ProtectHit, Protector } from "../../../paths/protect.ts";
import { DEEP, FEW, hasUnknown, isBroad, isKnown } from "../../../shell/marks.ts";
import type { Touch } from "../../../shell/model.ts";
import { listerOf } from "../../../shell/name-list.ts";

/** Files as they lie in most projects, for patterns that name folders but not what is in them. */
const typical = [".env", ".github/workflows/ci.yml", ".github/workflows/ci.yaml", "migrations/0001.sql"];

/**
 * A write to everything of a kind below a folder (`find . -name '*.yml' -exec sed -i …`), or to all hidden files of
 * one (`sed -i … .*`), reaches a protected file that the pattern does not spell out. Picked files (by size, by name
 * with exclusions) do not count, nor do formatters, which are given folders and choose for themselves.
 */
export function sweepHit(touch: Touch, guard: Protector, world: World): ProtectHit | null {
  if (!isSweep(touch)) return null;
  const reaches = reachOf(touch);
  const root = world.root ?? world.cwd;
  for (const name of typical) {
    const path = `${root}/${name}`;
    const hit = reaches(path) ? guard.hit(path) : null;
    if (hit !== null) return hit;
  }
  return null;
}

function isSweep({ marked, action, tree, keeps, place }: Touch): boolean {
  if (action !== "write" || tree || keeps || place !== "host") return false;
  return !marked.includes(FEW) && !hasUnknown(marked) && (marked.includes(`/${DEEP}/`) || isHidden(marked));
}

/** `.*`: every name in its folder that begins with a dot. */
function isHidden(marked: string): boolean {
  const name = marked.slice(marked.lastIndexOf("/") + 1);
  return name.startsWith(".") && name !== "." && name !== ".." && isBroad(name);
}

/** Which absolute paths a sweep may come to. */
export function reachOf(touch: Touch): (path: string) => boolean {
  const { path, written, marked, list } = touch;
  const matches = matcherOf(touch);
  // A shell's own `**` and `*` pass over names that begin with a dot.
  const hidden = !written.startsWith("**");
  const spelled = startOf(touch).length;
  // Of programs that list names, only `ls` and shells do as well.
  const lister = list === undefined ? "ls" : listerOf(list).argv[0];
  const dotted = lister !== "ls" || marked.includes(DEEP) || path.includes("/.", path.lastIndexOf("/"));
  return (file) =>
    (hidden || !file.slice(spelled).includes("/.")) &&
    (dotted || !file.includes("/.", file.lastIndexOf("/"))) &&
    matches(file);
}

/** Fits absolute paths. A sign of globs in a folder's own name, such as `[id]`, stands for itself. */
export function matcherOf({ path, glob }: Touch): (file: string) => boolean {
  if (!glob) return (file) => file === path;
  const matches = globMatcher(
    path
      .slice(1)
      .replace(/\\([*?[])/g, "[$1]")
      .replaceAll("\\{", "?"),
  );
  return (file) => matches(file.slice(1));
}

/** The folder that a pattern begins with; a path without wildcards stays what it is. */
export function startOf({ path, glob, marked }: Touch): string {
  if (!glob) return path;
  const at = [...marked].findIndex((sign) => !isKnown(sign));
  return marked.slice(0, Math.max(0, marked.lastIndexOf("/", at)));
}
