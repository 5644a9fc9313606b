import type { ProtectSettings } from "../core/settings.ts";
import type { World } from "../core/world.ts";
import { fold } from "./fold.ts";
import { compileGlob, type GlobSegment, literalTokens } from "./glob.ts";
import { agreement } from "./overlap.ts";
import { lexical, readings, segments, slashed, unresolvedReadings } from "./resolve.ts";
import {
  type Base,
  basesOf,
  compared,
  compileRule,
  covers,
  type Matches,
  type Rule,
  takesAlong,
} from "./rule.ts";

export interface ProtectHit {
  /** The pattern as the person wrote it. */
  readonly pattern: string;
  /** As shown to people: relative to the project when inside it, else as written. */
  readonly path: string;
  /** Where the path really leads, when only that place is protected (a symlink). */
  readonly real?: string;
}

export interface Protector {
  /** Is this path, absolute or relative to the world's cwd, protected? */
  hit(path: string): ProtectHit | null;
  /**
   * Would moving, deleting, replacing or unpacking into this directory touch something protected?
   * True for a protected directory and for a parent that takes the spelled-out start of a pattern
   * along; never for the project root itself.
   */
  hitTree(path: string): ProtectHit | null;
  /**
   * Could this shell glob name a protected path? Only where it spells out part of what the pattern
   * spells out: `.env*` and `*.pem` do, `*` and `src/*` do not. `\` before a sign makes it literal.
   *
   * @param hidden wildcards also match a leading dot (`find -name`, git, `dotglob`).
   */
  hitGlob(glob: string, hidden?: boolean): ProtectHit | null;
}

/** Compiles the protected patterns for one world. Invalid patterns never throw. */
export function protector(protect: ProtectSettings, world: World): Protector {
  const patterns = protect.paths.map((pattern) => compileRule(pattern, world));
  const excepts = protect.except.map((pattern) => compileRule(pattern, world));
  const bases = basesOf(world);
  const judge = (path: string, matches: Matches): string | null => {
    for (const parts of compared(path)) {
      if (excepts.some((rule) => covers(rule, parts, bases))) continue;
      const rule = patterns.find((one) => matches(one, parts, bases));
      if (rule !== undefined) return rule.pattern;
    }
    return null;
  };
  const find = (written: string, matches: Matches): ProtectHit | null => {
    if (patterns.length === 0 || written === "") return null;
    const texts = readings(written, world);
    const path = shown(written, texts[0] ?? written, bases);
    for (const text of texts) {
      const pattern = judge(text, matches);
      if (pattern !== null) return { pattern, path };
    }
    for (const text of new Set([...texts, ...unresolvedReadings(written, world)])) {
      const real = lexical(slashed(world.realpath(text)));
      const pattern = real === text ? null : judge(real, matches);
      if (pattern !== null) return { pattern, path, real: shown(real, real, bases) };
    }
    return null;
  };
  return {
    hit: (path) => find(path, covers),
    hitTree: (path) => find(path, takesAlong),
    hitGlob: (glob, hidden = false) =>
      wildcards.test(glob)
        ? globHit(glob, hidden, { patterns, excepts, bases, world })
        : find(glob, takesAlong),
  };
}

const wildcards = /[*?[{]/;

interface GlobContext {
  readonly patterns: readonly Rule[];
  readonly excepts: readonly Rule[];
  readonly bases: readonly Base[];
  readonly world: World;
}

function globHit(written: string, hidden: boolean, context: GlobContext): ProtectHit | null {
  const { patterns, excepts, bases, world } = context;
  const text = written.replace(/\\([*?[\]{}])/g, "[$1]");
  for (const path of globReadings(text, world)) {
    const globs = compileGlob(path);
    const rule = patterns.find((one) => globs.some((glob) => couldName(glob, one, hidden, bases)));
    if (rule === undefined) continue;
    if (compared(path).some((parts) => excepts.some((except) => covers(except, parts, bases)))) continue;
    return { pattern: rule.pattern, path: shown(written, path, bases) };
  }
  return null;
}

/** Also reads the folder in front of the first wildcard through its symlinks. */
function globReadings(text: string, world: World): string[] {
  const paths = readings(text, world);
  const real = paths.map((path) => {
    const folder = path.slice(0, path.slice(0, path.search(wildcards)).lastIndexOf("/") + 1);
    const target = folder === "" ? "" : lexical(slashed(world.realpath(lexical(folder))));
    return `${target === "/" ? "" : target}/${path.slice(folder.length)}`;
  });
  return [...new Set([...paths, ...real])];
}

function couldName(
  glob: readonly GlobSegment[],
  rule: Rule,
  hidden: boolean,
  bases: readonly Base[],
): boolean {
  const agrees = (one: readonly GlobSegment[], other: readonly GlobSegment[], from: number, tree: boolean) =>
    (agreement(one, other, { from, hidden, tree }) ?? 0) > 0;
  return rule.shapes.some((shape) => {
    if (shape.short) return false;
    if (shape.anchor === "name") return agrees(glob.slice(-1), shape.glob, 0, false);
    if (shape.anchor === "absolute")
      return agrees(glob, shape.glob, Math.max(0, spelledOut(shape.glob) - 1), true);
    return bases.some((base) => {
      const root = base.folded.map(literalTokens);
      return agrees(glob, [...root, ...shape.glob], root.length, true);
    });
  });
}

function spelledOut(glob: readonly GlobSegment[]): number {
  const open = glob.findIndex((part) => part === "**" || part.some((token) => typeof token !== "string"));
  return open < 0 ? glob.length : open;
}

const longestShown = 200;

function shown(written: string, resolved: string, bases: readonly Base[]): string {
  const parts = segments(resolved);
  const base = bases.find(({ folded }) => folded.every((part, at) => part === fold(parts[at] ?? "")));
  const text = base === undefined ? written : parts.slice(base.folded.length).join("/") || ".";
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
  return clean.length > longestShown ? `${clean.slice(0, longestShown)}…` : clean;
}
