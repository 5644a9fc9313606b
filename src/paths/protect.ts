import type { ProtectSettings } from "../core/settings.ts";
import type { World } from "../core/world.ts";
import { fold } from "./fold.ts";
import { anyRun, compileGlob, type GlobSegment, literalName } from "./glob.ts";
import { agreement } from "./overlap.ts";
import { lexical, readings, segments, slashed, unresolvedReadings } from "./resolve.ts";
import {
  compileRule,
  covers,
  type Rule,
  rootSpellings,
  type Spelling,
  spellings,
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
   * along; never for the project root itself, nor for home and what holds it.
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
export function protector(protect: Pick<ProtectSettings, "paths" | "except">, world: World): Protector {
  const patterns = protect.paths.map((pattern) => compileRule(pattern, world));
  const excepts = protect.except.map((pattern) => compileRule(pattern, world));
  const roots = rootSpellings(world);
  const judge = (path: string, matches: Matches): string | null => {
    for (const spelling of spellings(path, roots)) {
      if (excepts.some((rule) => covers(rule, spelling))) continue;
      const rule = patterns.find((one) => matches(one, spelling));
      if (rule !== undefined) return rule.pattern;
    }
    return null;
  };
  const find = (written: string, matches: Matches): ProtectHit | null => {
    if (patterns.length === 0 || written === "") return null;
    const texts = readings(written, world);
    const path = () => shown(written, texts[0] ?? written, roots);
    for (const text of texts) {
      const pattern = judge(text, matches);
      if (pattern !== null) return { pattern, path: path() };
    }
    for (const text of [...texts, ...unresolvedReadings(written, world)]) {
      const real = lexical(slashed(realOf(text, world)));
      const pattern = real === text ? null : judge(real, matches);
      if (pattern !== null) return { pattern, path: path(), real: shown(real, real, roots) };
    }
    return null;
  };
  return {
    hit: (path) => find(path, covers),
    hitTree: (path) => find(path, takesAlong),
    hitGlob: (glob, hidden = false) =>
      wildcards.test(glob)
        ? globHit(glob, hidden, { patterns, excepts, roots, world })
        : find(glob, takesAlong),
  };
}

/** Folders deep that symlinks are looked for. */
const deepestLink = 256;

function realOf(path: string, world: World): string {
  const parts = path.split("/");
  if (parts.length <= deepestLink) return world.realpath(path);
  const top = world.realpath(parts.slice(0, deepestLink).join("/"));
  return [top, ...parts.slice(deepestLink)].join("/");
}

type Matches = (rule: Rule, path: Spelling) => boolean;
type Roots = readonly (readonly string[])[];

const wildcards = /[*?[{]/;

interface GlobContext {
  readonly patterns: readonly Rule[];
  readonly excepts: readonly Rule[];
  readonly roots: Roots;
  readonly world: World;
}

function globHit(written: string, hidden: boolean, context: GlobContext): ProtectHit | null {
  const { patterns, excepts, roots, world } = context;
  const text = written.replace(/\\([*?[\]{}])/g, "[$1]");
  const rootNames = roots.map((root) => root.map(literalName));
  for (const path of globReadings(text, world)) {
    const globs = compileGlob(path).filter(fitsInPath);
    const rule = patterns.find((one) => globs.some((glob) => couldName(glob, one, hidden, rootNames)));
    if (rule === undefined) continue;
    const spelled = spellings(path, roots);
    if (spelled.some((one) => excepts.some((except) => covers(except, one)))) continue;
    return { pattern: rule.pattern, path: shown(written, path, roots) };
  }
  return null;
}

/** Also reads the folder in front of the first wildcard through its symlinks. */
function globReadings(text: string, world: World): string[] {
  const paths = readings(text, world);
  const real = paths.map((path) => {
    const folder = path.slice(0, path.slice(0, path.search(wildcards)).lastIndexOf("/") + 1);
    const target = folder === "" ? "" : lexical(slashed(realOf(lexical(folder), world)));
    return `${target === "/" ? "" : target}/${path.slice(folder.length)}`;
  });
  return [...new Set([...paths, ...real])];
}

function couldName(
  glob: readonly GlobSegment[],
  rule: Rule,
  hidden: boolean,
  roots: readonly (readonly GlobSegment[])[],
): boolean {
  const agrees = (one: readonly GlobSegment[], other: readonly GlobSegment[], from: number, tree: boolean) =>
    (agreement(one, other, { from, hidden, tree }) ?? 0) > 0;
  return rule.shapes.some((shape) => {
    if (shape.anchor === "name") return agrees(glob.slice(-1), shape.glob, 0, false);
    if (shape.anchor === "absolute") return agrees(glob, shape.glob, spelledOut(shape.glob) - 1, true);
    return roots.some((root) => agrees(glob, [...root, ...shape.glob], root.length, true));
  });
}

/** Longest path in characters that a system opens; no shorter one matches a longer glob. */
const longestPath = 4096;

function fitsInPath(glob: readonly GlobSegment[]): boolean {
  let least = 0;
  for (const part of glob) {
    if (part !== "**") least += 1 + part.tokens.filter((token) => token !== anyRun).length;
    if (least > longestPath) return false;
  }
  return glob.length <= 2 * longestPath;
}

function spelledOut(glob: readonly GlobSegment[]): number {
  const open = glob.findIndex((part) => part === "**" || part.text === null);
  return open < 0 ? glob.length : open;
}

const longestShown = 200;

function shown(written: string, resolved: string, roots: Roots): string {
  const parts = segments(resolved);
  const root = roots.find((names) => names.every((name, at) => name === fold(parts[at] ?? "")));
  const text = root === undefined ? written : parts.slice(root.length).join("/") || ".";
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "?");
  return clean.length > longestShown ? `${clean.slice(0, longestShown)}…` : clean;
}
