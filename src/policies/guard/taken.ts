import type { UnsavedFile } from "../../core/repository.ts";
import type { Settings } from "../../core/settings.ts";
import { protector } from "../../paths/protect.ts";
import { generated } from "../../shell/listing.ts";
import { isKnown } from "../../shell/marks.ts";
import type { Analysis, Step } from "../../shell/model.ts";
import type { Context } from "../context.ts";
import { type Taken, takenBy } from "./commands/git-takes.ts";
import { everythingIn, firstReached } from "./reached.ts";
import type { CommandHit } from "./risky-commands.ts";
import { selfLookup, selfRule } from "./self.ts";

/** Files of one answer of git that are looked up. */
const mostFiles = 2000;

/**
 * The hits of `git stash`, `git clean` and discards that take a protected file, or Holdfast's own ones, along with
 * all that no commit holds. Git is asked only where there is such a command.
 */
export async function takenHits(
  { steps }: Analysis,
  settings: Settings,
  context: Context,
): Promise<CommandHit[]> {
  const takings = steps.flatMap((step, at) => {
    const taken = step.name === "git" ? takenHere(steps, at, context) : null;
    return taken === null ? [] : [{ step, at, taken }];
  });
  if (takings.length === 0) return [];
  const answer = await context.git.unsaved(
    [],
    takings.some(({ taken }) => taken.ignored),
  );
  if (answer.kind !== "unsaved") return [];
  const find = finder(settings, context);
  return takings.flatMap(({ step, at, taken }) => {
    const found = answer.files
      .slice(0, mostFiles)
      .filter((file) => taken.takes(file))
      .flatMap((file) => find(file) ?? []);
    return found.length === 0 ? [] : [hitOf(found, step, at, taken)];
  });
}

/** What the step takes out of the project's own working tree; null where it takes nothing, or works elsewhere. */
export function takenHere(steps: readonly Step[], at: number, context: Context): Taken | null {
  const step = steps[at];
  return step !== undefined && isHere(step, context) ? takenBy(step, steps.slice(0, at)) : null;
}

/** Does the command work on the project's own repository, as git finds it by itself? */
export function isHere(step: Step, { world, files }: Context): boolean {
  const { root } = world;
  if (root === null || step.place !== "host" || !isKnown(step.cwd)) return false;
  if ([...step.env.keys()].some((name) => name.startsWith("GIT_"))) return false;
  if (step.cwd !== root && !step.cwd.startsWith(`${root}/`)) return false;
  for (let at = step.cwd; at !== root; at = at.slice(0, at.lastIndexOf("/")))
    if (files.exists(`${at}/.git`)) return false;
  return true;
}

/** A file that should stay where it is. */
interface Kept {
  readonly rule: string;
  readonly verdict: "ask" | "deny";
  readonly path: string;
  readonly why: string;
}

function finder(settings: Settings, { world, files }: Context): (file: UnsavedFile) => Kept | null {
  const here = { ...world, realpath: (path: string) => path };
  const guard = protector(settings.protect, here);
  const lookup = selfLookup(settings, here);
  return ({ path, kind }) => {
    if (kind === "ignored" && generated.test(path)) return null;
    const own = lookup?.(path, false, (mine) => mine.hit(path)) ?? null;
    if (own !== null)
      return { rule: selfRule, verdict: own.verdict, path: own.path, why: "belongs to Holdfast" };
    const inside = kind === "ignored" ? firstReached(everythingIn(path), guard, files) : null;
    const hit = guard.hit(path) ?? (inside === "too-much" ? null : inside);
    if (hit === null) return null;
    return {
      rule: "protect",
      verdict: "deny",
      path: hit.path,
      why: `is protected by the pattern "${hit.pattern}"`,
    };
  };
}

const mostNamed = 3;

function hitOf(found: readonly Kept[], step: Step, at: number, { keeps }: Taken): CommandHit {
  const verdict = found.some((one) => one.verdict === "deny") ? "deny" : "ask";
  const first = found.find((one) => one.verdict === verdict);
  const paths = [...new Set(found.map(({ path }) => path))];
  const others = paths.length > 1 ? ` (and ${paths.length - 1} more)` : "";
  const goes = keeps ? "would be stashed away" : "would go";
  const out = leavingOut(step, paths);
  const ways = [
    ...(first?.rule === selfRule ? ["commit it first"] : []),
    ...(out === null ? [] : [`leave it out: ${out}`]),
  ];
  const safer = ways.length === 0 ? "ask the person to commit it first" : ways.join(", or ");
  return {
    rule: first?.rule ?? selfRule,
    words: `${first?.path ?? ""}${others} ${goes} with all the rest: it ${first?.why ?? ""}, and no commit holds what it says now.`,
    loss: "",
    safer: `${safer.slice(0, 1).toUpperCase()}${safer.slice(1)}.`,
    verdict,
    at: step.text,
    where: [{ step: at, touch: null }],
  };
}

/** How this command takes everything but these. */
function leavingOut({ args }: Step, paths: readonly string[]): string | null {
  if (paths.length > mostNamed) return null;
  if (args[0] === "clean") return `add ${paths.map((path) => `\`-e ${path}\``).join(" ")}`;
  if (args[0] !== "stash") return null;
  const flag = args.some((word) => /^-[a-z]*a|^--all$/.test(word)) ? "-a" : "-u";
  return `\`git stash push ${flag} -- . ${paths.map((path) => `':!${path}'`).join(" ")}\``;
}
