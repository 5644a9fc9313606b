import type { Settings } from "../../core/settings.ts";
import { globMatcher } from "../../paths/glob.ts";
import { generated } from "../../shell/listing.ts";
import { asGlob, DEEP, hasGlob, hasUnknown, isKnown } from "../../shell/marks.ts";
import type { Analysis, Bring, Touch } from "../../shell/model.ts";
import { baseOf } from "../../shell/place.ts";
import type { Context, Files } from "../context.ts";
import { zoneOf } from "./commands/zones.ts";
import { isFolder } from "./entry-kind.ts";
import { type Kept, keeper } from "./kept.ts";
import type { CommandHit } from "./risky-commands.ts";
import { selfRule } from "./self.ts";

/** Names that are looked at for one command line; past them it counts for what it says. */
const mostNames = 10_000;

/**
 * The hits of copies of whole folders, of patterns, and of archives, that would overwrite a protected file which is
 * there. Only folders that are on both sides are looked into, but for those of generated files. What is the same on
 * both sides stays as it is.
 */
export async function broughtHits(
  analysis: Analysis,
  settings: Settings,
  context: Context,
): Promise<CommandHit[]> {
  const brings = analysis.brought.filter((one) => mayMatter(one, context));
  if (brings.length === 0) return [];
  const find = finder(settings, context);
  const budget = { left: mostNames };
  const hits: CommandHit[] = [];
  for (const one of brings) {
    const arrivals =
      one.how === "unpacked"
        ? unpacked(one, await membersOf(one, context))
        : copied(one, context.files, budget);
    for (const arrival of arrivals) {
      if (--budget.left < 0) break;
      const kept = find(arrival);
      if (kept !== null) hits.push(hitOf(kept, arrival, one, analysis));
    }
  }
  return hits;
}

const mostArchives = 4;

/** The names in an archive, or in what git gives of the project's own commits. */
async function membersOf(one: Bring, context: Context): Promise<readonly string[]> {
  const { to, git } = one;
  if (git === null) {
    const archives = sourcesOf(one, context.files).slice(0, mostArchives);
    const members = await Promise.all(archives.map((path) => context.files.members(path)));
    return members.flatMap((names) => names ?? []);
  }
  const names = (await context.git.names(git.kind, git.revs)) ?? [];
  if (git.kind === "diff" || to !== context.world.root) return names;
  const other = new Set(await context.git.names("diff", git.revs));
  return names.filter((name) => other.has(name));
}

function mayMatter({ from, to, git }: Bring, { files, world }: Context): boolean {
  const { root } = world;
  if (git !== null && !(root !== null && (git.at === root || git.at.startsWith(`${root}/`)))) return false;
  if (hasUnknown(from) || from.includes(DEEP) || !isKnown(to)) return false;
  return zoneOf(to, world) !== "temp" && files.exists(to);
}

/** One file that comes along. */
interface Arrival {
  /** A pattern of the command itself picks it: it counts as well where it is not there yet. */
  readonly picked: boolean;
  /** What is copied; null out of an archive. */
  readonly source: string | null;
  readonly target: string;
  /** As an option that leaves names out would say it. */
  readonly name: string;
}

/** Files that go over others, in folders that are there on both sides. */
function* copied(one: Bring, files: Files, budget: { left: number }): Generator<Arrival> {
  const waiting = sourcesOf(one, files).map((source) => {
    const base = baseOf(source);
    const below = one.how === "below" || (one.how === "below-folder" && isFolder(one.to, files));
    const name = one.how === "as" ? "" : base;
    return { picked: hasGlob(one.from), source, target: below ? `${one.to}/${base}` : one.to, name };
  });
  const out = leftOut(one);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (--budget.left < 0) return;
    const { source, target, name } = next;
    if (name !== "" && out(name)) continue;
    if (!isFolder(source, files)) {
      if (source !== target) yield next;
    } else if (one.deep && !generated.test(source) && source !== target && isFolder(target, files))
      for (const child of files.list(source))
        waiting.push({
          picked: false,
          source: `${source}/${child}`,
          target: `${target}/${child}`,
          name: name === "" ? child : `${name}/${child}`,
        });
  }
}

/** The paths that a shell makes of the pattern. */
function sourcesOf({ from }: Bring, files: Files): string[] {
  if (!hasGlob(from)) return [from];
  let found = [""];
  for (const part of asGlob(from).slice(1).split("/")) {
    const fits = /[*?[]/.test(part) ? globMatcher(part) : null;
    const names = (folder: string) =>
      fits === null
        ? [part]
        : files.list(folder || "/").filter((name) => fits(name) && (part[0] === "." || name[0] !== "."));
    found = found.flatMap((folder) => names(folder).map((name) => `${folder}/${name}`)).slice(0, mostNames);
  }
  return found;
}

function* unpacked(one: Bring, members: readonly string[]): Generator<Arrival> {
  const { to, strip, picked } = one;
  const out = leftOut(one);
  const among = picked.map((word) => below(word.replace(/^\.\//, "")));
  for (const member of members) {
    const name = member.replace(/^(?:\.?\/)+/, "");
    const left = name.split("/").slice(strip).join("/");
    if (left === "" || left.endsWith("/") || `/${left}/`.includes("/../")) continue;
    if (name.split("/").some((_, at, parts) => out(parts.slice(0, at + 1).join("/")))) continue;
    if (among.length > 0 && !among.some((fits) => fits(name))) continue;
    yield { picked: false, source: null, target: `${to}/${left}`, name };
  }
}

function below(pattern: string): (name: string) => boolean {
  const matches = globMatcher(`${pattern}/**`);
  return (name) => matches(name);
}

/** `rsync --delete` takes away only what the source does not have, and nothing that is left out. */
export function sparedBy(
  { step, via }: Touch,
  { brought }: Analysis,
  files: Files,
): (path: string) => boolean {
  const synced = via.startsWith("rsync ")
    ? brought.filter((one) => one.step === step && one.how === "as")
    : [];
  const rules = synced.map((one) => ({ ...one, out: leftOut(one) }));
  return (path) =>
    rules.some(({ from, to, out }) => {
      const parts = path.slice(to.length + 1).split("/");
      const names = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
      return names.some(out) || files.exists(`${from}/${parts.join("/")}`);
    });
}

/** By the first filter that fits, as `rsync` has it; for the others there is but one kind. */
function leftOut({ filters }: Bring): (name: string) => boolean {
  const rules = filters.map((filter) => {
    const pattern = filter.slice(1).replace(/\/\*{0,2}$/, "");
    const anchored = pattern.startsWith("/") ? pattern.slice(1) : `**/${pattern.replace(/^\.\//, "")}`;
    return { out: filter[0] === "-", fits: globMatcher(anchored) };
  });
  return (name) => rules.find(({ fits }) => fits(name))?.out === true;
}

function finder(settings: Settings, { files, world }: Context): (arrival: Arrival) => Kept | null {
  const keep = keeper(settings, world);
  const same = (source: string | null, target: string) =>
    source !== null && files.readText(source) === files.readText(target);
  return ({ picked, source, target }) => {
    // A manifest rules from the moment that it is there.
    const counts = picked || files.exists(target) || /\/holdfast\.ya?ml$/.test(target);
    const kept = counts ? keep(target) : null;
    return kept === null || same(source, target) ? null : kept;
  };
}

const askPerson =
  "A person can allow it with protect.except in holdfast.yaml, or make the change without the agent.";

function hitOf(
  { rule, verdict, path, why }: Kept,
  { name }: Arrival,
  one: Bring,
  analysis: Analysis,
): CommandHit {
  const what =
    one.how !== "unpacked" ? "what is copied" : one.git === null ? "the archive" : "what git gives";
  return {
    rule,
    words: `${path} ${why}${rule === selfRule ? ` It is in ${what}.` : `: ${what} has a file of that name.`}`,
    loss: "",
    safer: one.leaves === "" ? askPerson : `Leave it out, with \`${one.leaves}${name}\`.`,
    verdict,
    at: analysis.steps[one.step]?.text ?? "",
    where: [{ step: one.step, touch: null }],
  };
}

/** Names that a pattern brings to the target of a copy are those of its sources, not those that are there. */
export function isBrought(touch: Touch, { brought }: Analysis): boolean {
  return touch.action === "write" && brought.some(({ step, from }) => step === touch.step && hasGlob(from));
}
