import type { Settings } from "../../core/settings.ts";
import { unlinked } from "../../core/world.ts";
import { type ProtectHit, type Protector, protector } from "../../paths/protect.ts";
import type { Analysis, Touch } from "../../shell/analyse.ts";
import { generated } from "../../shell/listing.ts";
import { asGlob, DEEP, FEW, hasUnknown } from "../../shell/marks.ts";
import { findDeletes } from "../../shell/wrap/find.ts";
import type { Context } from "../context.ts";
import { isBrought, sparedBy } from "./brought.ts";
import { reachOf, startOf } from "./commands/sweep.ts";
import { zoneOf } from "./commands/zones.ts";
import type { Listed } from "./listers.ts";
import { meant } from "./meant.ts";
import { isSpareCopy, protectedHit } from "./protected-commands.ts";
import { patternsRead, readGuard, readHit } from "./reads.ts";
import type { CommandHit, CommandJudgement } from "./risky-commands.ts";
import { type Asker, isNewerThan, sinceOf } from "./unsaved.ts";

/**
 * The hits of what names no protected file, but comes to one here: `rm .*.local` where there is a `.env.local`,
 * `rm -rf apps/web` where that holds a `.env`. Where there are too many names to look at, the command counts for
 * what it says.
 */
export function reachedHits(
  { analysis, hits }: CommandJudgement,
  asker: Asker,
  settings: Settings,
  context: Context,
  listed: Listed,
): CommandHit[] {
  if (settings.protect.paths.length === 0 || hits.some(({ verdict }) => verdict === "deny")) return [];
  const { files, world } = context;
  const searches = meant(analysis.touches, files).flatMap((touch) => {
    if (isTree(touch, context))
      return [{ touch, search: treeSearch(touch, analysis, asker, context, listed) }];
    if (!isPattern(touch, context) || isBrought(touch, analysis)) return [];
    return [{ touch, search: patternSearch(touch, listed, fewNames) }];
  });
  if (searches.length === 0) return [];
  const guard = protector(settings.protect, unlinked(world));
  return searches.slice(0, mostSearches).flatMap(({ touch, search }) => {
    const found = firstReached(search, guard, context);
    if (found === null || found === "too-much") return [];
    return [protectedHit(found, touch, analysis)];
  });
}

/** `cat *` where one of the names may not be read. */
export function readReached(
  { analysis, hits }: CommandJudgement,
  settings: Settings,
  context: Context,
): CommandHit[] {
  if (settings.protect.reads.length === 0 || hits.some(({ verdict }) => verdict === "deny")) return [];
  const guard = readGuard(settings, unlinked(context.world));
  for (const { marked, step } of patternsRead(analysis).slice(0, mostSearches)) {
    const read = { action: "read", tree: false, keeps: false, via: "", place: "host" } as const;
    const touch: Touch = { ...read, path: asGlob(marked), written: marked, marked, glob: true, step };
    const search = patternSearch(touch, () => true, fewNames);
    const found = firstReached(search, guard, context);
    if (found !== null && found !== "too-much") return [readHit({ ...found, step }, analysis)];
  }
  return [];
}

/** A pattern that changes what is there, all of it as far as one can tell. */
export function isPattern(touch: Touch, { world }: Context): boolean {
  const { glob, action, place, keeps, marked } = touch;
  if (!glob || action === "read" || place !== "host" || keeps) return false;
  return !hasUnknown(marked) && !isPicked(touch) && !isSpareCopy(touch, world);
}

/** Some of the files, by what nobody can tell here. */
function isPicked({ marked, list }: Touch): boolean {
  return marked.includes(FEW) && list === undefined;
}

/** Folders of the project that go whole. */
function isTree(touch: Touch, { world }: Context): boolean {
  const { tree, action, place, marked } = touch;
  if (!tree || action !== "delete" || place !== "host" || hasUnknown(marked) || isPicked(touch)) return false;
  const folder = startOf(touch);
  return /^(?:project|root)$/.test(zoneOf(folder, world)) && !generated.test(folder);
}

/** Which names are looked at, and which of them count. */
interface Search {
  readonly start: string;
  /** Folders below the start that are looked into. */
  readonly depth: number;
  readonly most: number;
  reaches(path: string): boolean;
}

const mostNames = 20_000;
/** Names that are looked at where they only may count. */
export const fewNames = 4_000;
/** Patterns of one command line that are looked into. */
export const mostSearches = 16;
const deepest = 32;

/** @param most names that are looked at; where there are more, the answer is `too-much` */
export function patternSearch(touch: Touch, listed: Listed, most = mostNames): Search {
  const start = startOf(touch);
  const below = touch.marked.slice(start.length + 1);
  const depth = below.includes(DEEP) ? deepest : below.split("/").length - 1;
  const matches = reachOf(touch);
  return { start, depth, most, reaches: (path) => matches(path) && listed(touch, path) };
}

/** All that lies in a folder. */
export function everythingIn(folder: string): Search {
  return { start: folder, depth: deepest, most: fewNames, reaches: () => true };
}

/** What this very session made there may go again. */
function treeSearch(
  touch: Touch,
  analysis: Analysis,
  asker: Asker,
  context: Context,
  listed: Listed,
): Search {
  const start = startOf(touch);
  const matches = reachOf(touch);
  const fits = (path: string) => (start === touch.path || matches(path)) && listed(touch, path);
  // `find` deletes one by one what it comes to.
  const goes = (path: string) =>
    touch.via === findDeletes ? fits(path) : start === touch.path || ancestors(path, start).some(fits);
  const spared = sparedBy(touch, analysis, context.files);
  const reaches = (path: string) =>
    goes(path) && !spared(path) && !isNewerThan(path, sinceOf(asker, context), context);
  return { start, depth: deepest, most: fewNames, reaches };
}

/** The path and the folders above it, as far as they lie below `start`. */
function ancestors(path: string, start: string): string[] {
  const found: string[] = [];
  for (let at = path; at.length > start.length; at = at.slice(0, at.lastIndexOf("/"))) found.push(at);
  return found;
}

/**
 * The first protected file that a search comes to. Folders of generated files are left out, and where all below a
 * folder counts, so is what links in it lead to.
 */
export function firstReached(
  search: Search,
  guard: Protector,
  { files, world }: Pick<Context, "files" | "world">,
): ProtectHit | "too-much" | null {
  const real = world.realpath(search.start);
  const waiting = [{ folder: search.start, depth: 0 }];
  let left = search.most;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, depth } = next;
    const names = files.list(folder);
    const unlinked = real + folder.slice(search.start.length);
    if (search.depth === deepest && names.length > 0 && world.realpath(folder) !== unlinked) continue;
    for (const name of names) {
      if (--left < 0) return "too-much";
      const path = `${folder}/${name}`;
      const hit = guard.hit(path);
      if (hit !== null && search.reaches(path)) return hit;
      if (depth < search.depth && !generated.test(name)) waiting.push({ folder: path, depth: depth + 1 });
    }
  }
  return null;
}
