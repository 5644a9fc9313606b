import type { World } from "../core/world.ts";
import { fold, trimmedName } from "./fold.ts";
import { compileGlob, type GlobSegment, matchesName, matchesPath } from "./glob.ts";
import { lexical, segments, slashed } from "./resolve.ts";
import { shortNameGlob } from "./short-name.ts";

/** One pattern of `protect.paths` or `protect.except`, compiled. */
export interface Rule {
  readonly pattern: string;
  readonly shapes: readonly Shape[];
}

export interface Shape {
  /** `name`: the last segment, anywhere. `root`: from the project root. `absolute`: from `/`. */
  readonly anchor: "name" | "root" | "absolute";
  readonly glob: readonly GlobSegment[];
  /** Matches the 8.3 short names Windows gives; only asked about names with a `~`. */
  readonly short: boolean;
}

/** A project root as the two ways to spell it: as given, and with its symlinks resolved. */
export interface Base {
  readonly folded: readonly string[];
  readonly length: number;
}

export type Matches = (rule: Rule, parts: readonly string[], bases: readonly Base[]) => boolean;

/** Compiles one pattern for one world. What does not parse stands for itself. */
export function compileRule(pattern: string, world: World): Rule {
  const text = slashedPattern(pattern);
  const shapes: Shape[] = [];
  for (const [written, short] of [
    [text, false],
    [shortForm(text), true],
  ] as const) {
    if (written === null) continue;
    for (const { anchor, glob } of anchored(written, world)) {
      for (const one of compileGlob(glob)) if (one.length > 0) shapes.push({ anchor, glob: one, short });
    }
  }
  return { pattern, shapes };
}

/** In a pattern `\` is a separator, as people on Windows write it; a literal `*` is `[*]`. */
function slashedPattern(pattern: string): string {
  const text = pattern.trim().replaceAll("\\", "/");
  return text.endsWith("/") ? `${text}**` : text;
}

function shortForm(text: string): string | null {
  const parts = text.split("/");
  const short = parts.map((part) => {
    const name = shortNameGlob(part);
    return name === null ? part : `{${part},${name}}`;
  });
  return short.some((part, at) => part !== parts[at]) ? short.join("/") : null;
}

function anchored(text: string, world: World): { anchor: Shape["anchor"]; glob: string }[] {
  if (!text.includes("/")) return [{ anchor: "name", glob: text }];
  if (text.startsWith("~/"))
    return [{ anchor: "absolute", glob: verbatim(slashed(world.home)) + text.slice(1) }];
  const root = world.root === null ? null : slashed(world.root);
  const isAbsolute = text.startsWith("/") || /^[A-Za-z]:\//.test(text);
  if (!isAbsolute) return [{ anchor: "root", glob: text }];
  if (root !== null && fold(text).startsWith(`${fold(root)}/`)) {
    return [{ anchor: "root", glob: text.slice(root.length) }];
  }
  return [
    { anchor: "absolute", glob: text },
    { anchor: "root", glob: text },
  ];
}

function verbatim(text: string): string {
  return text.replace(/[*?[{]/g, "[$&]");
}

/** The spellings of the project root; none outside a project. */
export function basesOf(world: World): Base[] {
  if (world.root === null) return [];
  const roots = new Set([lexical(slashed(world.root)), lexical(slashed(world.realpath(world.root)))]);
  return [...roots].map((root) => ({ folded: segments(fold(root)), length: segments(root).length }));
}

/**
 * The spellings of a path that are compared: folded, folded and freed of what Windows drops, and,
 * where folding made new `/` or `..`, resolved once more.
 */
export function compared(path: string): string[][] {
  const folded = segments(path).map(fold);
  const plain = folded.map(trimmedName);
  const forms = [folded];
  if (plain.some((part, at) => part !== folded[at])) forms.push(plain);
  const again = segments(lexical(`/${plain.join("/")}`));
  if (again.length !== plain.length) forms.push(again);
  return forms;
}

/** Is the path, as compared segments, what the rule names? */
export function covers(rule: Rule, parts: readonly string[], bases: readonly Base[]): boolean {
  return rule.shapes.some((shape) => {
    if (shape.short && !parts.some((part) => part.includes("~"))) return false;
    if (shape.anchor === "absolute") return matchesPath(shape.glob, parts);
    if (shape.anchor === "root") return bases.some((base) => fromRoot(shape.glob, parts, base, matchesPath));
    const [name] = shape.glob;
    const last = parts.at(-1);
    return last !== undefined && (name === "**" || (name !== undefined && matchesName(name, last)));
  });
}

/** Is it, or does it as a directory hold only or lead to what the rule names? */
export function takesAlong(rule: Rule, parts: readonly string[], bases: readonly Base[]): boolean {
  if (covers(rule, parts, bases)) return true;
  if (covers(rule, [...parts, anyChild], bases)) return true;
  return rule.shapes.some(
    (shape) => shape.anchor === "root" && bases.some((base) => fromRoot(shape.glob, parts, base, isParent)),
  );
}

/** A name no pattern spells out: what matches it matches everything in the directory. */
const anyChild = "\u{f8ff}holdfast";

/** Do the segments lead towards what the glob names, starting with a name it spells out? */
function isParent(glob: readonly GlobSegment[], parts: readonly string[]): boolean {
  const [first] = glob;
  if (first === undefined || first === "**" || first.some((token) => typeof token !== "string")) return false;
  const open = glob.indexOf("**");
  const reach = open < 0 ? glob.length : open;
  return parts.length <= reach && matchesPath(glob.slice(0, parts.length), parts);
}

function fromRoot(
  glob: readonly GlobSegment[],
  parts: readonly string[],
  base: Base,
  matches: (glob: readonly GlobSegment[], parts: readonly string[]) => boolean,
): boolean {
  const inside = parts.length > base.length && base.folded.every((part, at) => part === parts[at]);
  return inside && matches(glob, parts.slice(base.length));
}
