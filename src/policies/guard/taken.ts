import type { UnsavedFile } from "../../core/repository.ts";
import type { Settings } from "../../core/settings.ts";
import { unlinked } from "../../core/world.ts";
import { lies } from "../../paths/lies.ts";
import { protector } from "../../paths/protect.ts";
import { generated } from "../../shell/listing.ts";
import { isKnown } from "../../shell/marks.ts";
import type { Analysis, Step } from "../../shell/model.ts";
import { absolute } from "../../shell/place.ts";
import type { Context } from "../context.ts";
import type { Taken } from "./commands/git-takes.ts";
import { type Kept, keeper, protectedFile } from "./kept.ts";
import { leavingOut, takenBy } from "./lists.ts";
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
  const files = answer.files.slice(0, mostFiles);
  const hits: CommandHit[] = [];
  for (const { step, at, taken } of takings) {
    const replaced = (await overwritten(files, taken, step, context)) ?? [];
    const found = [
      ...files.flatMap((file) => find(file, taken) ?? []),
      ...replaced.flatMap((file) => find(file, everything) ?? []),
    ];
    if (found.length > 0) hits.push(hitOf(found, step, at, taken, context));
  }
  return hits;
}

/** Files that git does not track here and another commit would put its own in the place of; null: not known. */
export async function overwritten(
  files: readonly UnsavedFile[],
  { commit }: Taken,
  { cwd }: Step,
  { world, files: disk, git }: Context,
): Promise<readonly UnsavedFile[] | null> {
  const loose = files.filter(({ kind, path }) => kind !== "tracked" && !generated.test(path));
  // `git checkout -f src`: files after all.
  if (commit === null || loose.length === 0 || disk.exists(absolute(cwd, commit))) return [];
  const names = await git.names("tree", [commit]);
  if (names === null) return null;
  const coming = names.map((name) => `${world.root}/${name}`);
  const known = new Set(coming);
  return loose.flatMap((file): UnsavedFile[] => {
    if (!file.folder) return known.has(file.path) ? [file] : [];
    const inside = coming.filter((path) => path.startsWith(`${file.path}/`) && disk.exists(path));
    return inside.map((path) => ({ ...file, path, folder: false }));
  });
}

const everything: Pick<Taken, "takes"> = { takes: () => true };

/** What the step takes out of the project's own working tree; null where it takes nothing, or works elsewhere. */
export function takenHere(steps: readonly Step[], at: number, context: Context): Taken | null {
  const step = steps[at];
  const { root } = context.world;
  if (step === undefined || root === null || !isHere(step, context)) return null;
  return takenBy({ ...step, cwd: lies(step.cwd, context.world) }, steps.slice(0, at), root);
}

/** Does the command work on the project's own repository, as git finds it by itself? */
export function isHere(step: Step, { world, files }: Context): boolean {
  const { root } = world;
  if (root === null || step.place !== "host" || !isKnown(step.cwd)) return false;
  if ([...step.env.keys()].some((name) => name.startsWith("GIT_"))) return false;
  const cwd = lies(step.cwd, world);
  if (cwd !== root && !cwd.startsWith(`${root}/`)) return false;
  for (let at = cwd; at !== root; at = at.slice(0, at.lastIndexOf("/")))
    if (files.exists(`${at}/.git`)) return false;
  return true;
}

/** A file that should stay, and the folder that git ignores as a whole, where it lies in one. */
interface Found extends Kept {
  readonly from: string | null;
}

type Find = (file: UnsavedFile, taken: Pick<Taken, "takes">) => Found | null;

function finder(settings: Settings, context: Context): Find {
  const { world } = context;
  const keep = keeper(settings, world);
  const guard = protector(settings.protect, unlinked(world));
  return (file, taken) => {
    const { path, kind, folder } = file;
    if (kind === "ignored" && generated.test(path)) return null;
    const kept = taken.takes(file) ? keep(path) : null;
    if (kept !== null) return { ...kept, from: null };
    if (kind !== "ignored" || !folder) return null;
    const goes = (inner: string) => taken.takes({ ...file, path: inner, folder: false }, path);
    const inside = firstReached({ ...everythingIn(path), reaches: goes }, guard, context);
    if (inside === null || inside === "too-much") return null;
    return { ...protectedFile(inside), from: path.slice((world.root ?? "").length + 1) };
  };
}

const mostNamed = 3;

function hitOf(
  found: readonly Found[],
  step: Step,
  at: number,
  { keeps }: Taken,
  { world }: Context,
): CommandHit {
  const verdict = found.some((one) => one.verdict === "deny") ? "deny" : "ask";
  const first = found.find((one) => one.verdict === verdict);
  const paths = [...new Map(found.map(({ path, from }) => [path, { path, from }])).values()];
  const others = paths.length > 1 ? ` (and ${paths.length - 1} more)` : "";
  const why = first?.rule === selfRule ? "belongs to Holdfast" : (first?.why ?? "");
  const goes = keeps ? "would be stashed away" : "would go";
  const out = paths.length > mostNamed ? null : leavingOut(step, paths, world.root ?? "");
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
