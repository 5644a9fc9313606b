import type { Settings } from "../../core/settings.ts";
import type { Protector } from "../../paths/protect.ts";
import type { Step, Touch } from "../../shell/analyse.ts";
import { isKnown } from "../../shell/marks.ts";
import type { Context } from "../context.ts";
import { isBrought } from "./brought.ts";
import { reachOf, startOf } from "./commands/sweep.ts";
import { type Listed, leavingOut } from "./listers.ts";
import { fewNames, isPattern, mostSearches } from "./reached.ts";
import type { CommandHit, CommandJudgement } from "./risky-commands.ts";
import { type SelfHit, selfLookup, selfRule } from "./self.ts";
import { changesNothing } from "./substitution.ts";

/** `rm *.yaml` where one of the names is Holdfast's own: nobody spelled it out, but it would go along. */
export function ownReached(
  { analysis, hits }: CommandJudgement,
  settings: Settings,
  context: Context,
  listed: Listed,
): CommandHit[] {
  const { files, world } = context;
  const lookup = hits.some(({ verdict }) => verdict === "deny") ? null : selfLookup(settings, world);
  if (lookup === null) return [];
  const patterns = analysis.touches.filter(
    (touch) => isPattern(touch, context) && (touch.action !== "write" || isEdit(touch)),
  );
  for (const touch of patterns.slice(0, mostSearches)) {
    if (touch.action === "write" && isBrought(touch, analysis)) continue;
    const step = analysis.steps[touch.step];
    const reaches = reachOf(touch);
    for (const path of candidates(touch, step, context)) {
      const find = (mine: Protector) => (touch.tree ? mine.hitTree(path) : mine.hit(path));
      const own = reaches(path) && listed(touch, path) ? lookup(path, touch.tree, find) : null;
      if (own === null || (touch.action === "write" && changesNothing(step, files.readText(path)))) continue;
      return [hitOf(own, touch, step)];
    }
  }
  return [];
}

/** Formatters are given folders and choose for themselves; what git brings back is looked up by what git knows. */
function isEdit({ tree, via }: Touch): boolean {
  return !tree && !via.startsWith("git ");
}

const manifests = ["holdfast.yaml", "holdfast.yml"];

/** What may be Holdfast's own there: a manifest counts where an agent starts, and all that goes is looked at. */
function candidates(touch: Touch, step: Step | undefined, { files, world }: Context): string[] {
  const start = startOf(touch);
  const gone = touch.action === "write" ? [] : files.list(start).slice(0, fewNames);
  const folders = new Set([start, step?.cwd ?? start, world.cwd, world.root ?? world.cwd].filter(isKnown));
  const paths = [...folders].flatMap((folder) => manifests.map((name) => `${folder}/${name}`));
  return [...gone.map((name) => `${start}/${name}`), ...paths.filter((path) => files.exists(path))];
}

function hitOf(own: SelfHit, touch: Touch, step: Step | undefined): CommandHit {
  return {
    rule: selfRule,
    words: `${own.path} ${own.words}`,
    loss: "",
    safer: leavingOut(own, touch) || "If it was not meant, name the files that are.",
    verdict: own.verdict,
    at: step?.text ?? touch.written,
    where: [{ step: touch.step, touch }],
  };
}
