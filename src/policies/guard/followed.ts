import type { Settings } from "../../core/settings.ts";
import { lies } from "../../paths/lies.ts";
import { generated } from "../../shell/listing.ts";
import { hasUnknown } from "../../shell/marks.ts";
import type { Touch } from "../../shell/model.ts";
import { listerOf } from "../../shell/name-list.ts";
import { baseOf } from "../../shell/place.ts";
import type { Context } from "../context.ts";
import { reachOf, startOf } from "./commands/sweep.ts";
import { zoneOf } from "./commands/zones.ts";
import { isFolder } from "./entry-kind.ts";
import type { Listed } from "./listers.ts";
import { fewNames, mostSearches } from "./reached.ts";
import { type CommandHit, type CommandJudgement, riskHitsOf } from "./risky-commands.ts";
import { type Asker, isNewerThan, sinceOf } from "./unsaved.ts";

/**
 * The hits of a list that goes through the links of the folder it searches, such as that of `find -L`: files that lie
 * outside the project are then deleted and written by names in it.
 */
export function followedHits(
  { analysis }: CommandJudgement,
  asker: Asker,
  settings: Settings,
  context: Context,
  listed: Listed,
): CommandHit[] {
  const searched = analysis.touches.filter(
    (touch) =>
      touch.action !== "read" && touch.place === "host" && !hasUnknown(touch.marked) && follows(touch),
  );
  if (searched.length === 0) return [];
  const touches = searched.slice(0, mostSearches).flatMap((touch): Touch[] => {
    const found = firstBeyond(touch, asker, context, listed);
    if (found === null) return [];
    const path = lies(found, context.world);
    return [{ ...touch, path, marked: path, glob: false, tree: false, named: found }];
  });
  const met = riskHitsOf({ ...analysis, incomplete: null, touches }, context.world, settings.commands);
  return met.filter(({ where }) => where.some(({ touch }) => touch !== null));
}

function follows({ list }: Touch): boolean {
  if (list === undefined) return false;
  const [program = "", ...words] = listerOf(list).argv;
  switch (baseOf(program)) {
    case "find":
    case "gfind":
      return words.includes("-follow") || words.findLast((word) => /^-[HLP]$/.test(word)) === "-L";
    case "fd":
    case "fdfind":
    case "rg":
      return words.some((word) => /^(?:-[a-zA-Z]*L|--follow$)/.test(word));
    case "grep":
      return words.some((word) => /^(?:-[a-zA-Z]*R|--dereference-recursive$)/.test(word));
  }
  return false;
}

/** A file from before this session that the list comes to behind a link which leads out of the project. */
function firstBeyond(touch: Touch, asker: Asker, context: Context, listed: Listed): string | null {
  const { files, world } = context;
  const since = sinceOf(asker, context);
  const start = startOf(touch);
  const fits = touch.glob ? reachOf(touch) : () => true;
  const waiting = [{ folder: start, beyond: false }];
  let left = fewNames;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { folder, beyond } = next;
    for (const name of files.list(folder)) {
      if (--left < 0) return null;
      const path = `${folder}/${name}`;
      if (generated.test(name)) continue;
      if (isFolder(path, files)) {
        const isLink = files.isLink(path);
        // What a link leads to in the project is come to anyway.
        if (!isLink || (!beyond && away.test(zoneOf(lies(path, world), world))))
          waiting.push({ folder: path, beyond: beyond || isLink });
      } else if (beyond && fits(path) && listed(touch, path) && !isNewerThan(path, since, context))
        return path;
    }
  }
  return null;
}

const away = /^(?:home|system|outside)$/;
