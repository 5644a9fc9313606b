import type { UnsavedFile } from "../../core/repository.ts";
import type { Settings } from "../../core/settings.ts";
import { protector } from "../../paths/protect.ts";
import { generated } from "../../shell/listing.ts";
import { isKnown } from "../../shell/marks.ts";
import type { Analysis, Step } from "../../shell/model.ts";
import type { Context } from "../context.ts";
import { type Taken, takenBy } from "./commands/git-takes.ts";
import { type Kept, keeper, protectedFile } from "./kept.ts";
import { everythingIn, firstReached } from "./reached.ts";
import type { CommandHit } from "./risky-commands.ts";
import { selfRule } from "./self.ts";

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

function finder(settings: Settings, { world, files }: Context): (file: UnsavedFile) => Kept | null {
  const keep = keeper(settings, world);
  const guard = protector(settings.protect, { ...world, realpath: (path: string) => path });
  return ({ path, kind }) => {
    if (kind === "ignored" && generated.test(path)) return null;
    const kept = keep(path);
    if (kept !== null || kind !== "ignored") return kept;
    const inside = firstReached(everythingIn(path), guard, files);
    return inside === null || inside === "too-much" ? null : protectedFile(inside);
  };
}

const mostNamed = 3;

function hitOf(found: readonly Kept[], step: Step, at: number, { keeps }: Taken): CommandHit {
  const verdict = found.some((one) => one.verdict === "deny") ? "deny" : "ask";
  const first = found.find((one) => one.verdict === verdict);
  const paths = [...new Set(found.map(({ path }) => path))];
  const others = paths.length > 1 ? ` (and ${paths.length - 1} more)` : "";
  const why = first?.rule === selfRule ? "belongs to Holdfast" : (first?.why ?? "");
  const goes = keeps ? "would be stashed away" : "would go";
  const out = leavingOut(step, paths);
  const ways = [
    ...(first?.rule === selfRule ? ["commit it first"] : []),
    ...(out === null ? [] : [`leave it out: ${out}`]),
  ];
  const safer = ways.length === 0 ? "ask the person to commit it first" : ways.join(", or ");
  return {
    rule: first?.rule ?? selfRule,
    words: `${first?.path ?? ""}${others} ${goes} with all the rest: it ${why}, and no commit holds what it says now.`,
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
