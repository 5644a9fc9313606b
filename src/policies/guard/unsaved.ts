import type { UnsavedFile } from "../../core/repository.ts";
import type { CommandSettings } from "../../core/settings.ts";
import type { World } from "../../core/world.ts";
import { isLink, lies } from "../../paths/lies.ts";
import { isBroad } from "../../shell/marks.ts";
import type { Analysis, Touch } from "../../shell/model.ts";
import { takesBack } from "../../shell/tools/diff.ts";
import { overwrites } from "../../shell/tools/git.ts";
import type { Context } from "../context.ts";
import { otherCommit, sourceOf } from "./commands/git-source.ts";
import { strengthOf } from "./commands/own-rules.ts";
import { matcherOf, startOf } from "./commands/sweep.ts";
import { zoneOf } from "./commands/zones.ts";
import { type Listed, listedBy } from "./listers.ts";
import { meant } from "./meant.ts";
import type { CommandHit, CommandJudgement } from "./risky-commands.ts";
import { filesBelow } from "./without-git.ts";

/** The one rule that is met by what git says alone: work from before this session that no commit holds. */
export const unsavedRule = {
  id: "files/unsaved",
  words: "deletes work from before this session that git does not hold",
  loss: "Changes and files that no commit has.",
  safer: "Keep them first: commit them, or `git stash push -u -- src`.",
} as const;

const withoutGit = {
  loss: "Files that were there before this session; no git answers here that would have them.",
  safer: "Copy them first, such as `cp -r notes /tmp/notes`, or ask the person.",
};

/** Who asks; only its own session counts as "this session". */
export interface Asker {
  readonly agent: string;
  readonly session: string | null;
}

/** What goes with one deletion or one discard. */
interface Loss {
  readonly touch: Touch;
  /** The folder to ask git about. */
  readonly folder: string;
  /** The commit whose files take the place of those that are there, where it is not the current one. */
  readonly commit: string | null;
  takes(file: UnsavedFile, isListed: Listed): boolean;
}

/** The hit when a command takes work with it that is older than the session and that git does not hold. */
export async function unsavedHit(
  { analysis }: CommandJudgement,
  asker: Asker,
  commands: CommandSettings,
  context: Context,
): Promise<CommandHit | null> {
  const strength = strengthOf(unsavedRule.id, commands);
  if (strength === "off") return null;
  const losses = meant(analysis.touches, context.files).flatMap(
    (touch) => lossOf(touch, analysis, context) ?? [],
  );
  const there = losses.filter(({ folder }) => context.files.exists(folder));
  if (there.length === 0) return null;
  const folders = [...new Set(there.map(({ folder }) => folder))];
  const answer = await context.git.unsaved(folders);
  const held = answer.kind === "unsaved";
  const since = sinceOf(asker, context);
  const files = held
    ? [...(await withOtherTrees(answer.files, folders, context)), ...(await inHome(folders, context))]
    : filesBelow(folders, context);
  const loose = files.filter((file) => !isOwnWork(file, since, context));
  const isListed = listedBy(context, held ? { unsaved: files, names: new Map() } : null);
  const found = await Promise.all(
    there.map((loss) =>
      lostBy(
        loss.commit,
        loose.filter((file) => loss.takes(file, isListed)),
        context,
      ),
    ),
  );
  const lost = [...new Set(found.flat())];
  if (lost.length === 0) return null;
  return {
    rule: unsavedRule.id,
    words: unsavedRule.words,
    loss: `${held ? unsavedRule.loss : withoutGit.loss} Here that is ${listed(lost, context.world)}.`,
    safer: held ? unsavedRule.safer : withoutGit.safer,
    verdict: strength,
    at: analysis.steps[there[0]?.touch.step ?? 0]?.text ?? "",
    where: there.map(({ touch }) => ({ step: touch.step, touch })),
  };
}

/** A home folder that is a repository ignores what its person has no other copy of. */
async function inHome(folders: readonly string[], context: Context): Promise<UnsavedFile[]> {
  const { git, world } = context;
  if (world.root !== world.home) return [];
  const held = new Set((await git.names("tree", ["HEAD"])) ?? []);
  return filesBelow(folders, context).filter(({ path }) => !held.has(path.slice(world.home.length + 1)));
}

/** Other working trees that are asked about for one command. */
const mostTrees = 8;

/** What git said, and what no commit holds in the linked working trees that lie in this one: they are no part of it. */
async function withOtherTrees(
  files: readonly UnsavedFile[],
  folders: readonly string[],
  { git, world }: Context,
): Promise<UnsavedFile[]> {
  const trees = (world.worktrees?.() ?? []).map((tree) => lies(tree, world));
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
  const asks = trees.flatMap((tree) => {
    if (!isBelow(tree, world.root ?? world.cwd)) return [];
    if (folders.some((folder) => isBelow(tree, folder))) return [{ tree, paths: [] }];
    const paths = folders.filter((folder) => isBelow(folder, tree));
    return paths.length > 0 ? [{ tree, paths }] : [];
  });
  const answers = asks.slice(0, mostTrees).map(async ({ tree, paths }) => {
    const answer = await git.unsaved(paths, false, tree);
    return answer.kind === "unsaved" ? { tree, files: answer.files } : { tree: null, files: [] };
  });
  const others = await Promise.all(answers);
  const known = new Set(others.map(({ tree }) => tree));
  return [...files.filter(({ path }) => !known.has(path)), ...others.flatMap((one) => one.files)];
}

/** Of another commit, only what it holds overwrites anything. */
async function lostBy(commit: string | null, files: readonly UnsavedFile[], { git, world }: Context) {
  const names = commit === null || files.length === 0 ? null : await git.names("tree", [commit]);
  if (names === null) return files.filter(({ kind }) => commit === null || kind === "tracked");
  const held = new Set(names.map((name) => `${world.root}/${name}`));
  return files.filter(({ path }) => held.has(path));
}

/** A folder or pattern of the project that is deleted, or whose changes are discarded; null for anything else. */
function lossOf(touch: Touch, analysis: Analysis, context: Context): Loss | null {
  const { world } = context;
  if (touch.place !== "host") return null;
  const folder = startOf(touch);
  const zone = zoneOf(touch.glob ? folder : touch.marked, world);
  if (takesAway(touch, context)) {
    if (zone !== "project" && !(zone === "root" && touch.glob)) return null;
    const isMissed = isOpen(touch) ? () => true : (path: string) => !leftover.test(path);
    return {
      touch,
      folder,
      commit: null,
      takes: ({ path, staged }, isListed) => !staged && isWithin(path, touch, isListed) && isMissed(path),
    };
  }
  if ((zone !== "project" && zone !== "root") || !discards(touch, context)) return null;
  const step = analysis.steps[touch.step];
  const source = touch.via.endsWith(overwrites) && step !== undefined ? sourceOf(step) : null;
  const commit = step === undefined || source === null ? null : otherCommit(step);
  return {
    touch,
    folder,
    commit,
    takes: ({ path, kind, staged }, isListed) =>
      (kind === "tracked" ? !staged || source?.staged === true : commit !== null) &&
      isWithin(path, touch, isListed),
  };
}

/** A named folder that goes as a whole (a submodule does where it is named), or what a pattern names. */
function takesAway({ action, tree, glob, path }: Touch, { files, world }: Context): boolean {
  if (action !== "delete") return false;
  return tree || glob || (files.exists(`${path}/.git`) && !isLink(path, world));
}

/** What programs and editors leave behind, and nobody misses. */
const leftover = /\.(?:log|tmp|temp|bak|orig|rej|sw[a-p]|py[co]|class|o|obj|cache|tsbuildinfo)$|~$/i;

function isOpen({ marked }: Touch): boolean {
  return isBroad(marked.slice(marked.lastIndexOf("/") + 1));
}

/** `git checkout main src`, `git restore '*.js'`, `git diff | git apply -R`. A single named file does not count. */
function discards({ action, glob, path, via }: Touch, { files }: Context): boolean {
  if (action !== "write" || !(glob || files.list(path).length > 0)) return false;
  return via.endsWith(takesBack) || via.endsWith(overwrites);
}

function isWithin(path: string, touch: Touch, isListed: Listed): boolean {
  if (!touch.glob) return path === touch.path || (path.startsWith(`${touch.path}/`) && isListed(touch, path));
  const matches = matcherOf(touch);
  const { length } = startOf(touch);
  for (let at = path; at.length > length; at = at.slice(0, at.lastIndexOf("/"))) {
    if (matches(at) && isListed(touch, at)) return true;
    if (!touch.tree) return false;
  }
  return false;
}

/** Milliseconds since the epoch; 0 where the session is not known, so that nothing counts as made in it. */
export function sinceOf({ agent, session }: Asker, context: Context): number {
  return session === null ? 0 : context.state.session(agent, session).since;
}

/** Was it made since then? */
export function isNewerThan(path: string, since: number, context: Context): boolean {
  const times = context.files.times(path);
  return since > 0 && times !== null && times.created >= since;
}

/** Made or last written in this session: nobody else's work goes with it. What no commit has must be made in it. */
function isOwnWork({ path, kind }: UnsavedFile, since: number, context: Context): boolean {
  const times = context.files.times(path);
  // What is already gone cannot be lost again.
  if (times === null) return true;
  const isOld = kind === "untracked" && times.created > 0 && times.created < since;
  return since > 0 && times.changed >= since && !isOld;
}

const mostListed = 3;

/** Some of the files by name, relative to the project. */
export function listed(files: readonly UnsavedFile[], { root, cwd }: World): string {
  const names = files.slice(0, mostListed).map(({ path }) => path.slice((root ?? cwd).length + 1));
  const count = `${files.length} file${files.length === 1 ? "" : "s"}`;
  return `${count}: ${names.join(", ")}${files.length > mostListed ? ", …" : ""}`;
}
