import { hasUnknown, isKnown } from "./marks.ts";
import type { Scope } from "./model.ts";

/**
 * The absolute form of a marked path as seen from `cwd`: `.`, `..`, and repeated slashes are resolved
 * where they are certain. A path that starts with unknown text stays as it is.
 */
export function absolute(cwd: string, written: string): string {
  if (written === "") return cwd;
  if (written.startsWith("/")) return normal(written);
  if (hasUnknown(written[0] ?? "")) return normal(written);
  return normal(`${cwd}/${written}`);
}

/** Folder part of a path; `/` for the top. */
export function parentOf(path: string): string {
  const cut = path.lastIndexOf("/");
  return cut > 0 ? path.slice(0, cut) : cut === 0 ? "/" : path;
}

export function baseOf(path: string): string {
  const trimmed = path.length > 1 && path.endsWith("/") ? path.replace(/\/+$/, "") : path;
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/** A container path as the path on this machine, when a mount says so. */
export function throughMounts(scope: Scope, path: string): string | null {
  for (const mount of scope.mounts) {
    if (path === mount.to) return mount.from;
    const below = mount.to === "/" ? "/" : `${mount.to}/`;
    if (path.startsWith(below)) return absolute(mount.from, path.slice(below.length));
  }
  return null;
}

function normal(path: string): string {
  if (!path.includes("/.") && !path.includes("//") && !path.startsWith(".") && !path.endsWith("/"))
    return path;
  const rooted = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") goUp(parts, rooted);
    else parts.push(part);
  }
  return rooted ? `/${parts.join("/")}` : parts.join("/");
}

function goUp(parts: string[], rooted: boolean): void {
  const last = parts.at(-1);
  if (last === undefined) {
    if (!rooted) parts.push("..");
  } else if (last === ".." || (!isKnown(last) && parts.length === 1 && !rooted)) parts.push("..");
  else parts.pop();
}
