import type { Settings } from "../../core/settings.ts";
import { unlinked, type World } from "../../core/world.ts";
import { protector } from "../../paths/protect.ts";
import type { Analysis, Touch } from "../../shell/analyse.ts";
import { isKnown } from "../../shell/marks.ts";
import { absolute } from "../../shell/place.ts";
import { readByRedirect } from "../../shell/redirect.ts";
import { appliedBy, changedBy, readsPatch } from "../../shell/tools/diff.ts";
import type { Context } from "../context.ts";
import { isBrought } from "./brought.ts";
import type { Listed } from "./listers.ts";
import { protectedHit } from "./protected-commands.ts";
import { firstReached, patternSearch } from "./reached.ts";
import type { CommandHit, CommandJudgement } from "./risky-commands.ts";
import { selfLookup, selfRule } from "./self.ts";

/**
 * The hits of a command without those that a sweep would have made in most projects, but does not make in this one:
 * a protected file that the sweep comes to must be there.
 */
export function reallySwept(
  { hits, analysis }: CommandJudgement,
  settings: Settings,
  context: Context,
  listed: Listed,
): CommandHit[] {
  if (!hits.some(({ swept }) => swept === true)) return [...hits];
  const guard = protector(settings.protect, unlinked(context.world));
  return hits.flatMap((hit) => {
    if (hit.swept !== true) return [hit];
    for (const { touch } of hit.where) {
      if (touch !== null && isBrought(touch, analysis)) continue;
      const found = touch === null ? "too-much" : firstReached(patternSearch(touch, listed), guard, context);
      if (found === "too-much") return [hit];
      if (found !== null && touch !== null) return [protectedHit(found, touch, analysis)];
    }
    return [];
  });
}

/** Characters of a patch that are looked at. */
const mostText = 4_000_000;

/** What patches that lie on the disk would change here, as far as it is protected. */
export function patchHits(analysis: Analysis, settings: Settings, { files, world }: Context): CommandHit[] {
  const patches = analysis.touches.filter(
    ({ via, place, marked }) =>
      (via === readsPatch || via === readByRedirect) && place === "host" && isKnown(marked),
  );
  if (patches.length === 0) return [];
  const guard = protector(settings.protect, world);
  const lookup = selfLookup(settings, world);
  return patches.flatMap((touch) => {
    const step = analysis.steps[touch.step];
    const applied = step === undefined ? null : appliedBy(step.name, step.args);
    if (step === undefined || applied === null) return [];
    if (touch.via === readByRedirect && applied.sources.length > 0) return [];
    const text = (files.readText(touch.path) ?? "").slice(0, mostText);
    return changedBy(text, applied).flatMap((name): CommandHit[] => {
      const path = absolute(step.cwd, name);
      const hit = guard.hit(path);
      if (hit !== null)
        return [protectedHit(hit, { ...touch, via: `${shown(touch, world)} changes it` }, analysis)];
      const own = lookup?.(path, false, (mine) => mine.hit(path)) ?? null;
      if (own === null) return [];
      const words = `${own.path} ${own.words}`;
      const where = [{ step: touch.step, touch }];
      return [{ rule: selfRule, words, loss: "", safer: "", verdict: own.verdict, at: step.text, where }];
    });
  });
}

function shown({ written }: Touch, { root }: World): string {
  return root !== null && written.startsWith(`${root}/`) ? written.slice(root.length + 1) : written;
}
