import type { Settings } from "../../core/settings.ts";
import { allow, compose, type Verdict, verdict } from "../../core/verdict.ts";
import type { World } from "../../core/world.ts";
import { fold } from "../../paths/fold.ts";
import { type ProtectHit, type Protector, protector } from "../../paths/protect.ts";
import { readings, unresolvedReadings } from "../../paths/resolve.ts";
import { type Change, mostPaths } from "./protected-files.ts";

/** The rule by which Holdfast protects itself. */
export const selfRule = "self";

/** One of Holdfast's own things that a call would change. */
export interface SelfHit {
  readonly verdict: "ask" | "deny";
  readonly path: string;
  /** The pattern of `Own` that it fits. */
  readonly pattern: string;
  /** The path is a folder above it. */
  readonly holds: boolean;
  readonly words: string;
}

/**
 * Looks a path up among Holdfast's own things; `find` asks the protector in the way the caller needs.
 * @param wide the call is about whole folders, or about what a glob names
 */
export type SelfLookup = (
  path: string,
  wide: boolean,
  find: (own: Protector) => ProtectHit | null,
) => SelfHit | null;

/** Null when Holdfast does not protect itself here. */
export function selfLookup(settings: Settings, world: World): SelfLookup | null {
  const own = settings.protect.holdfast ? world.own : undefined;
  if (own === undefined) return null;
  let known: { readonly ours: readonly Named[]; readonly shared: readonly Named[] } | null = null;
  return (path, wide, find) => {
    known ??= { ours: own().ours.map(namedBy), shared: own().shared.map(namedBy) };
    const texts = textsOf(path, world);
    const means = mayMean(texts, wide);
    const among = (
      patterns: readonly Named[],
      verdict: SelfHit["verdict"],
      words: string,
    ): SelfHit | null => {
      let left = patterns.filter(means);
      while (left.length > 0) {
        const paths = left.map(({ pattern }) => pattern);
        const hit = find(protector({ paths, except: [] }, world));
        if (hit === null) return null;
        const named = left.find(({ pattern }) => pattern === hit.pattern);
        const holds = named !== undefined && isAbove(texts, named);
        if (!holds) return { verdict, ...hit, holds, words };
        // Which agents have something of Holdfast's, only the disk knows.
        if (own().isThere(absoluteOf(hit.pattern, world)))
          return { verdict, ...hit, holds, words: `holds ${shownPattern(hit.pattern)}, which ${words}` };
        left = left.filter((one) => one !== named);
      }
      return null;
    };
    return among(known.ours, "deny", oursWords) ?? among(known.shared, "ask", sharedWords);
  };
}

/** A pattern, folded, and how its last name begins. */
interface Named {
  readonly pattern: string;
  readonly folded: string;
  readonly start: string;
}

function namedBy(pattern: string): Named {
  const folded = fold(pattern.replace(/\/\*\*$/, ""));
  return { pattern, folded, start: folded.slice(folded.lastIndexOf("/") + 1).slice(0, 5) };
}

/** What a path may mean, folded. */
function textsOf(path: string, world: World): string[] {
  const written = [...readings(path, world), ...unresolvedReadings(path, world)];
  return [...new Set(written.flatMap((text) => [text, world.realpath(text)]))].map(fold);
}

/**
 * There are many patterns and compiling one costs more than this: only those are, whose last name begins
 * somewhere in the path or, for whole folders, that go through a folder of its name.
 */
function mayMean(texts: readonly string[], wide: boolean): (pattern: Named) => boolean {
  // A short name of Windows, or a wildcard, may stand for any other.
  if (texts.some((text) => /[~*?[{]/.test(text))) return () => true;
  const lasts = texts.map((text) => text.slice(text.lastIndexOf("/") + 1)).filter((name) => name !== "");
  return ({ folded, start }) => {
    if (/[[*]/.test(start)) return true;
    if (texts.some((text) => text.includes(start))) return true;
    return wide && lasts.some((name) => folded.includes(name));
  };
}

/** Does none of the texts go through a name like the last one of the pattern? */
function isAbove(texts: readonly string[], { folded }: Named): boolean {
  const last = folded.slice(folded.lastIndexOf("/") + 1);
  return !texts.some((text) => /[*?[{]/.test(text) || `${text}/`.includes(`/${last}/`));
}

function absoluteOf(pattern: string, { home, root, cwd }: World): string {
  const path = pattern.replace(/\/\*\*$/, "").replace(/\[([*?[{])\]/g, "$1");
  if (path.startsWith("~/")) return home + path.slice(1);
  return path.startsWith("/") ? path : `${root ?? cwd}/${path}`;
}

function shownPattern(pattern: string): string {
  return pattern.replace(/^\*\*\/|\/\*\*$/g, "");
}

/** Judges files that a tool call would change. @param tree whole directories go along (delete, move) */
export function judgeOwnPaths(
  paths: readonly string[],
  settings: Settings,
  world: World,
  tree: boolean,
): Verdict {
  return judgeOwnTouches(
    paths.map((path) => ({ path, tree })),
    settings,
    world,
  );
}

/** The same for files that each go their own way. */
export function judgeOwnTouches(changes: readonly Change[], settings: Settings, world: World): Verdict {
  const lookup = selfLookup(settings, world);
  if (lookup === null || changes.length === 0) return allow;
  return compose(
    changes.slice(0, mostPaths).map(({ path, tree }) => {
      const hit = lookup(path, tree, (own) => (tree ? own.hitTree(path) : own.hit(path)));
      if (hit === null) return allow;
      return verdict({ decision: hit.verdict, reason: `${hit.path} ${hit.words}`, by: [selfRule] });
    }),
  );
}

const oursWords =
  "is Holdfast's own, and no agent may change it. Tell the person what you wanted to change and why; they can change it themselves, or switch this off with protect.holdfast: false in holdfast.yaml.";
const sharedWords =
  "also holds the hooks that Holdfast put there, so a person decides about each change to it. Say what the change is for.";
