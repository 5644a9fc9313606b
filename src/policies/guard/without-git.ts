import type { UnsavedFile } from "../../core/repository.ts";
import { isLink } from "../../paths/lies.ts";
import { generated } from "../../shell/listing.ts";
import type { Context } from "../context.ts";
import { isFolder } from "./entry-kind.ts";

/** Names that are looked at for one command; what lies past them is not known. */
const mostNames = 4_000;

/** Where there is no git, nobody says what may be made again: folders as most programs call them. */
const made =
  /^(?:\.?[\w-]*cache|\.next|\.nuxt|\.output|\.turbo|\.svelte-kit|\.gradle|\.tox|\.nox|te?mp|logs?)$/i;

/** Stands in for git's word where git has none: the files below these folders, but for generated ones. */
export function filesBelow(folders: readonly string[], { files, world }: Context): UnsavedFile[] {
  const top = (world.root ?? world.cwd).length;
  const waiting = folders.filter((folder) => !folder.slice(top).split("/").some(isMade));
  const found: UnsavedFile[] = [];
  let left = mostNames;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isFolder(next, files)) {
      found.push({ path: next, kind: "untracked", folder: false, staged: false });
      continue;
    }
    if (!folders.includes(next) && isLink(next, world)) continue;
    for (const name of files.list(next)) {
      if (--left < 0) return found;
      if (!isMade(name)) waiting.push(`${next}/${name}`);
    }
  }
  return found;
}

function isMade(name: string): boolean {
  return generated.test(name) || made.test(name);
}
