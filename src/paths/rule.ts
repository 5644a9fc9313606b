import type { World } from "../core/world.ts";
import { fold, trimmedName } from "./fold.ts";
import { compileGlob, type GlobSegment, matchesPath } from "./glob.ts";
import { lexical, segments, slashed } from "./resolve.ts";
import { shortNameGlob } from "./short-name.ts";

/** One pattern of `protect.paths` or `protect.except`, compiled. */
export interface Rule {
  readonly pattern: string;
  readonly shapes: readonly Shape[];
  /** The same for the 8.3 short names Windows gives; only asked for names with a `~`. */
  shortShapes(): readonly Shape[];
}

export interface Shape {
  /** `name`: the last segment, anywhere. `root`: from the project root. `absolute`: from `/`. */
  readonly anchor: "name" | "root" | "absolute";
  /** Names at the start that are the home folder's, which is more than a folder that holds what the glob names. */
  readonly top: number;
  readonly glob: readonly GlobSegment[];
}

/** One compared spelling of a path: all its names, and those below each spelling of the root. */
export interface Spelling {
  readonly parts: readonly string[];
  readonly inside: readonly (readonly string[])[];
}

/** Compiles one pattern for one world. What does not parse stands for itself. */
export function compileRule(pattern: string, world: World): Rule {
  const text = slashedPattern(pattern);
  let short: Shape[] | null = null;
  return {
    pattern,
    shapes: shapesOf(text, world),
    shortShapes: () => (short ??= shapesOf(shortForm(text), world)),
  };
}

function shapesOf(text: string, world: World): Shape[] {
  const shapes: Shape[] = [];
  for (const { anchor, top, glob } of anchored(text, world)) {
    for (const one of compiled(glob)) if (one.length > 0) shapes.push({ anchor, top, glob: one });
  }
  return shapes;
}

const known = new Map<string, readonly (readonly GlobSegment[])[]>();
const mostKnown = 500;

/** Who judges many calls compiles the same few patterns for each. */
function compiled(glob: string): readonly (readonly GlobSegment[])[] {
  const found = known.get(glob) ?? compileGlob(glob);
  if (known.size < mostKnown) known.set(glob, found);
  return found;
}

/** In a pattern `\` is a separator, as people on Windows write it; a literal `*` is `[*]`. */
function slashedPattern(pattern: string): string {
  const text = pattern.trim().replaceAll("\\", "/");
  return text.endsWith("/") ? `${text}**` : text;
}

/** Empty when no name in the pattern has a short form. */
function shortForm(text: string): string {
  const parts = text.split("/");
  const short = parts.map((part) => {
    const name = shortNameGlob(part);
    return name === null ? part : `{${part},${name}}`;
  });
  return short.some((part, at) => part !== parts[at]) ? short.join("/") : "";
}

function anchored(text: string, world: World): (Pick<Shape, "anchor" | "top"> & { glob: string })[] {
  if (!text.includes("/")) return [{ anchor: "name", top: 0, glob: text }];
  if (text.startsWith("~/")) {
    const homes = new Set([slashed(world.home), slashed(world.realpath(world.home))]);
    return [...homes].map((home) => ({
      anchor: "absolute",
      top: segments(home).length,
      glob: verbatim(home) + text.slice(1),
    }));
  }
  const root = world.root === null ? "" : slashed(world.root);
  if (/(?:^|\/)\.\.(?:\/|$)/.test(text)) return anchored(lexical(`${root}/${text}`), world);
  const isAbsolute = text.startsWith("/") || /^[A-Za-z]:\//.test(text);
  if (!isAbsolute) return [{ anchor: "root", top: 0, glob: text }];
  if (root !== "" && fold(text).startsWith(`${fold(root)}/`)) {
    return [{ anchor: "root", top: 0, glob: text.slice(root.length) }];
  }
  const home = slashed(world.home);
  const top = fold(text).startsWith(`${fold(home)}/`) ? segments(home).length : 0;
  return [
    { anchor: "absolute", top, glob: text },
    { anchor: "root", top: 0, glob: text },
  ];
}

function verbatim(text: string): string {
  return text.replace(/[*?[{]/g, "[$&]");
}

/** The spellings of the roots that patterns are anchored to, as folded names; none outside a project. */
export function rootSpellings(world: World): string[][] {
  if (world.root === null) return [];
  const roots = [world.root, ...(world.worktrees?.() ?? [])];
  const spelled = roots.flatMap((root) => [root, world.realpath(root)]).map((root) => lexical(slashed(root)));
  return [...new Set(spelled)].map((root) => segments(root).map(fold));
}

/**
 * The spellings of an absolute path that are compared: folded; folded and freed of what Windows
 * drops; and, where folding made new `/` or `..`, resolved once more.
 */
export function spellings(path: string, roots: readonly (readonly string[])[]): Spelling[] {
  const folded = segments(path).map(fold);
  const plain = folded.map(trimmedName);
  const forms = [folded];
  if (plain.some((part, at) => part !== folded[at])) forms.push(plain);
  if (plain.some((part) => part === "" || part === ".." || part === "." || part.includes("/"))) {
    forms.push(segments(lexical(`/${plain.join("/")}`)));
  }
  return forms.map((parts) => ({ parts, inside: below(parts, roots) }));
}

function below(parts: readonly string[], roots: readonly (readonly string[])[]): string[][] {
  return roots
    .filter((root) => parts.length > root.length && root.every((part, at) => part === parts[at]))
    .map((root) => parts.slice(root.length));
}

/** Is the path what the rule names? */
export function covers(rule: Rule, path: Spelling): boolean {
  if (anyCovers(rule.shapes, path)) return true;
  return path.parts.some((part) => part.includes("~")) && anyCovers(rule.shortShapes(), path);
}

function anyCovers(shapes: readonly Shape[], path: Spelling): boolean {
  return shapes.some(({ anchor, glob }) => {
    if (anchor === "absolute") return matchesPath(glob, path.parts);
    if (anchor === "root") return path.inside.some((parts) => matchesPath(glob, parts));
    return matchesPath(glob, path.parts.slice(-1));
  });
}

/** Is it, or does it as a directory hold only or lead to what the rule names? */
export function takesAlong(rule: Rule, path: Spelling): boolean {
  if (covers(rule, path)) return true;
  const child = {
    parts: [...path.parts, anyChild],
    inside: path.inside.map((parts) => [...parts, anyChild]),
  };
  if (covers(rule, child)) return true;
  return rule.shapes.some(({ anchor, glob, top }) =>
    anchor === "absolute"
      ? leadsTo(glob, path.parts, top)
      : anchor === "root" && path.inside.some((parts) => leadsTo(glob, parts, 0)),
  );
}

/** A name no pattern spells out: what matches it matches everything in the directory. */
const anyChild = "\u{f8ff}holdfast";

/** Do the names lead towards what the glob names, going on from `top` with a name it spells out? */
function leadsTo(glob: readonly GlobSegment[], parts: readonly string[], top: number): boolean {
  const first = glob[top];
  if (first === undefined || first === "**" || first.text === null) return false;
  const open = glob.indexOf("**");
  const reach = open < 0 ? glob.length : open;
  return parts.length > top && parts.length <= reach && matchesPath(glob.slice(0, parts.length), parts);
}
