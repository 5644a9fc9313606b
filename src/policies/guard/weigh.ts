import type { Settings } from "../../core/settings.ts";
import { type Verdict, verdict } from "../../core/verdict.ts";
import type { World } from "../../core/world.ts";
import { generated } from "../../shell/listing.ts";
import { isKnown } from "../../shell/marks.ts";
import type { Analysis, Step, Touch } from "../../shell/model.ts";
import { parentOf } from "../../shell/place.ts";
import type { Context } from "../context.ts";
import { broughtHits } from "./brought.ts";
import { isOfAgent } from "./changes.ts";
import { movedBranch } from "./commands/git-source.ts";
import { zoneOf } from "./commands/zones.ts";
import { followedHits } from "./followed.ts";
import { fileToolVia, guessedVia } from "./judge-changes.ts";
import { factsFor, type Listed, listedBy } from "./listers.ts";
import { isNothingThere } from "./nothing-there.ts";
import { patchHits, reallySwept } from "./on-disk.ts";
import { ownReached } from "./own-reached.ts";
import { reachedHits, readReached } from "./reached.ts";
import { type CommandHit, type CommandJudgement, verdictOf } from "./risky-commands.ts";
import { isHere, overwritten, takenHere, takenHits } from "./taken.ts";
import { type Asker, isNewerThan, listed, sinceOf, unsavedHit } from "./unsaved.ts";

/** Stands in `by` where a rule was met and a look at the repository or the disk showed that nothing is lost. */
export const nothingLost = "nothing-lost";

/**
 * Weighs what a command would really cost here. Looks at the repository and the disk only when a rule is met, or
 * when a named folder of the project would be deleted whole.
 */
export async function weigh(
  judged: CommandJudgement,
  asker: Asker,
  settings: Settings,
  context: Context,
): Promise<Verdict> {
  const { analysis } = judged;
  const seen = (listed: Listed) => {
    const real = reallySwept(judged, settings, context, listed);
    const left = { ...judged, hits: real };
    return [
      ...real,
      ...patchHits(analysis, settings, context),
      ...reachedHits(left, asker, settings, context, listed),
      ...ownReached(left, settings, context, listed),
      ...readReached(left, settings, context),
      ...followedHits(left, asker, settings, context, listed),
    ];
  };
  let hits = seen(listedBy(context, null));
  const facts = await factsFor(hits, context);
  if (facts !== null) hits = seen(listedBy(context, facts));
  if (!hits.some(({ verdict }) => verdict === "deny")) {
    hits.push(...(await takenHits(analysis, settings, context)));
    hits.push(...(await broughtHits(analysis, settings, context)));
  }
  if (hits.some(({ verdict }) => verdict === "deny")) return verdictOf(hits);
  if (hits.length === 0) {
    const found = await unsavedHit(judged, asker, settings.commands, context);
    if (found !== null) return verdictOf([found]);
    return judged.hits.length === 0 ? judged.verdict : verdict({ by: [nothingLost] });
  }
  const left: CommandHit[] = [];
  for (const hit of hits) {
    const weighed =
      hit.rule === "git/discard"
        ? await weighDiscard(hit, judged, context)
        : hit.rule === "git/delete-branch"
          ? weighMove(hit, analysis.steps, context)
          : hit.rule === "files/overwrite-outside"
            ? weighOverwrite(hit, analysis, asker, context)
            : weighDelete(hit, analysis, asker, context);
    if (weighed !== null) left.push(weighed);
  }
  return left.length === 0 ? verdict({ by: [nothingLost] }) : verdictOf(left);
}

/** Null when git says that nothing would be lost; else the hit, with what it is. */
async function weighDiscard(
  hit: CommandHit,
  { analysis }: CommandJudgement,
  context: Context,
): Promise<CommandHit | null> {
  const { steps, touches } = analysis;
  const first = Math.min(...hit.where.map(({ step }) => step));
  const taken = hit.where.map(({ step }) => takenHere(steps, step, context));
  const written = touches.some(({ action, step }) => action !== "read" && step < first);
  if (taken.includes(null) || written) return hit;
  const answer = await context.git.unsaved(
    [],
    taken.some((one) => one?.ignored === true),
  );
  if (answer.kind !== "unsaved") return hit;
  const { files } = answer;
  const lost = new Set(files.filter((file) => taken.some((one) => one?.takes(file) === true)));
  let unsure = false;
  for (const [at, one] of taken.entries()) {
    const step = steps[hit.where[at]?.step ?? -1];
    const replaced = one === null || step === undefined ? [] : await overwritten(files, one, step, context);
    unsure ||= replaced === null;
    for (const file of replaced ?? []) lost.add(file);
  }
  const missed = [...lost].filter((file) => !(file.kind === "ignored" && generated.test(file.path)));
  if (missed.length === 0) return unsure ? hit : null;
  return { ...hit, loss: `${hit.loss} Here that is ${listed(missed, context.world)}.` };
}

/** A branch that is not there yet has no commits that moving it could leave behind. */
function weighMove(hit: CommandHit, steps: readonly Step[], context: Context): CommandHit | null {
  const { files, world } = context;
  const refs = `${world.root}/.git`;
  // Another format of refs, or a worktree, keeps them where this does not look.
  if (!files.exists(`${refs}/refs/heads`) || files.exists(`${refs}/reftable`)) return hit;
  const packed = files.readText(`${refs}/packed-refs`) ?? "";
  const isNew = hit.where.every(({ step }) => {
    const found = steps[step];
    const branch = found === undefined || !isHere(found, context) ? null : movedBranch(found);
    if (branch === null || !isKnown(branch)) return false;
    return !files.exists(`${refs}/refs/heads/${branch}`) && !packed.includes(` refs/heads/${branch}\n`);
  });
  return isNew ? null : hit;
}

/** A delete outside the project of what this very session made, or of nothing, takes nothing from anybody. */
function weighDelete(hit: CommandHit, analysis: Analysis, asker: Asker, context: Context): CommandHit | null {
  if (hit.rule !== "files/rm-broad" && hit.rule !== "files/delete-outside") return hit;
  const since = sinceOf(asker, context);
  return withoutHarmless(hit, analysis, (touch) => {
    if (touch.action === "write" || touch.place !== "host" || touch.glob) return false;
    if (isElsewhere(touch, context) || isAgentsFile(touch, context)) return true;
    if (isNothingThere(touch, analysis, context)) return true;
    // Working trees share their dependencies by a link; what tools keep in there is made again.
    if (touch.named !== undefined && toolsOwn.test(touch.named)) return true;
    if (zoneOf(touch.marked, context.world) !== "outside" && !isBehindLink(touch, context)) return false;
    return isNewerThan(touch.path, since, context);
  });
}

/** A hit where it costs something; null where it does not. */
function withoutHarmless(
  hit: CommandHit,
  { steps }: Analysis,
  isHarmless: (touch: Touch) => boolean,
): CommandHit | null {
  const where = hit.where.filter(({ touch }) => touch === null || !isHarmless(touch));
  const [first] = where;
  return first === undefined
    ? null
    : { ...hit, at: steps[first.step]?.text ?? first.touch?.written ?? hit.at, where };
}

const toolsOwn = /\/node_modules\/\.(?:cache|vite|vitest|tmp|[\w-]*-cache)(?:\/|$)/;

/** One of the plans, memories and notes that agents keep in sub-folders of their own. */
function isAgentsFile({ path, glob }: Touch, { files, world }: Context): boolean {
  const homes = glob ? [] : (world.own?.().homes ?? []);
  const isBelow = homes.some((home) => path.startsWith(`${home}/`) && path.includes("/", home.length + 1));
  return isBelow && files.list(path).length === 0;
}

/**
 * A new file among the person's own overwrites nothing, nor does one that this very session made there; hidden
 * folders and the system act on files that appear there. Agents keep their plans in folders of their own.
 */
function weighOverwrite(
  hit: CommandHit,
  analysis: Analysis,
  asker: Asker,
  context: Context,
): CommandHit | null {
  const { files, world } = context;
  return withoutHarmless(hit, analysis, (touch) => {
    if (touch.glob || touch.place !== "host" || !isKnown(touch.marked)) return false;
    if (isElsewhere(touch, context) || isOfAgent(touch.path, world)) return true;
    if (touch.via === fileToolVia && isKeptElsewhere(touch.path, context)) return true;
    if (!isQuiet(touch, context)) return false;
    return !files.exists(touch.path) || isNewerThan(touch.path, sinceOf(asker, context), context);
  });
}

/** A plain file of another repository: who works in two has them side by side, and git brings back what was there. */
function isKeptElsewhere(path: string, { files, world }: Context): boolean {
  if (/\/\.|\/holdfast\.ya?ml$/.test(belowHome(path, world))) return false;
  for (let at = parentOf(path); at !== "/" && at !== world.home; at = parentOf(at))
    if (files.exists(`${at}/.git`)) return true;
  return false;
}

function belowHome(path: string, { home }: World): string {
  return path.startsWith(`${home}/`) ? path.slice(home.length) : path;
}

/** `data/x` where `data` is a link of the project's: the person keeps the project's own things there. */
function isBehindLink({ path, named }: Touch, { world }: Context): boolean {
  if (named === undefined || zoneOf(named, world) !== "project") return false;
  return !systemOwn.test(path) && zoneOf(path, world) !== "home" && !belowHome(path, world).includes("/.");
}

/**
 * Nothing acts on a new file there by itself: among the person's own, beside the project, behind its links, and for a
 * program that is new.
 */
function isQuiet(touch: Touch, context: Context): boolean {
  const { path, marked } = touch;
  const { files, world } = context;
  const { home, root } = world;
  if (isBehindLink(touch, context)) return true;
  const beside = root === null ? "/" : parentOf(root);
  const isBeside = beside.length > 1 && path.startsWith(`${beside}/`) && !systemOwn.test(path);
  if (isBeside && !path.slice(beside.length).includes("/.")) return true;
  if (!path.startsWith(`${home}/`) || zoneOf(marked, world) !== "outside") return false;
  const below = path.slice(home.length);
  if (!below.includes("/.")) return true;
  const program = /^\/\.(?:config|cache|local\/(?:share|state))\/[^/]+(?=\/)/.exec(below)?.[0];
  if (program === undefined || below.slice(program.length).includes("/.") || acting.test(program))
    return false;
  return program.startsWith("/.cache/") || !files.exists(`${home}${program}`);
}

const systemOwn = /^\/(?:bin|boot|dev|etc|lib\w*|proc|sbin|sys|usr|System|Library|Windows)\//;

/** Folders whose files are run, or trusted, by what is there already. */
const acting =
  /\/(?:autostart|systemd|environment\.d|applications|dbus-1|git|fish|zsh|bash|nushell|nvim|vim|emacs|pip|npm|uv|conda|direnv|mise|gh|containers|holdfast|.*hooks?)$/;

/** The path of a tool that was not known, where this machine has nothing of that name nor a place for it. */
function isElsewhere({ via, path }: Touch, { files }: Context): boolean {
  if (via !== guessedVia || files.exists(path)) return false;
  const folder = parentOf(path);
  return folder === "/" || !files.exists(folder);
}
