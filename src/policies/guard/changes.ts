import { type Dict, dict, isDict, list } from "../../core/read.ts";
import type { OtherTool, Tool } from "../../core/tool.ts";
import type { World } from "../../core/world.ts";
import { patchTouches } from "../../patch/apply-patch.ts";
import { diffTouches } from "../../patch/unified-diff.ts";
import { fold } from "../../paths/fold.ts";
import { lies } from "../../paths/lies.ts";
import { resolvePath } from "../../paths/resolve.ts";
import { changingVerbs, takesTrees } from "./tool-verbs.ts";

/** One file that a call of a file tool changes, as far as the call says. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  readonly written: string;
  readonly action: "write" | "delete" | "move";
  /** What is below the path goes along. */
  readonly tree: boolean;
  /** What is there stays: text is added to its end, or a folder is made. */
  readonly keeps: boolean;
  /** What comes into the file. */
  readonly text: string;
  /** The tool was not known, so that the path may be none of this machine. */
  readonly guessed: boolean;
}

/** The files that a call of a tool changes, each with what comes into it. None for commands and for reading. */
export function changesOf(tool: Tool, world: World): FileChange[] {
  const change = (written: string, more: Partial<FileChange>): FileChange => ({
    path: placed(written, world),
    written,
    action: "write",
    tree: false,
    keeps: false,
    text: "",
    guessed: false,
    ...more,
  });
  switch (tool.kind) {
    case "write":
    case "edit": {
      const text = newText(tool.input);
      return tool.paths.map((path) => change(path, { text }));
    }
    case "delete":
      return tool.paths.map((path) => change(path, { action: "delete", tree: isRecursive(tool) }));
    case "patch":
      return patched(tool.patch).map(({ path, ...more }) => change(path, more));
    case "mcp":
    case "other":
      return changedByName(tool).map(({ path, ...more }) => change(path, { ...more, guessed: true }));
    default:
      return [];
  }
}

/**
 * Is there more to say about a change than whether its file is protected? Cheap: nearly every call changes a file of
 * the project and is done with here.
 */
export function isRemarkable({ path, action, text }: FileChange, world: World): boolean {
  if (action === "delete" || namesHoldfast(text)) return true;
  const place = lies(path, world);
  if (/\/\.git(?:\/|$)/.test(path) || /\/\.git(?:\/|$)/i.test(place)) return true;
  return !isBelow(place, world.root ?? world.cwd) && !isOfAgent(path, world);
}

/** What agents write about their own work lies below folders of their own. */
export function isOfAgent(path: string, world: World): boolean {
  return world.own?.().homes.some((home) => isBelow(path, home)) === true;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === "/" ? folder : `${folder}/`);
}

function namesHoldfast(text: string): boolean {
  return text.includes("HOLDFAST") || text.includes("holdfast");
}

/** Git's folder keeps its name, however it is spelled. */
function placed(written: string, world: World): string {
  const path = resolvePath(written, world);
  if (!/git/i.test(path) && /^[\x20-\x7e]*$/.test(path)) return path;
  return path.replace(/[^/]+/g, (name) => (/^(?:\.git|git~\d)[. ]*$/.test(fold(name)) ? ".git" : name));
}

type Changed = Partial<FileChange> & { readonly path: string };

function patched(patch: string): Changed[] {
  const added = namesHoldfast(patch) ? addedLines(patch) : new Map<string, string>();
  return [...patchTouches(patch), ...diffTouches(patch)].map(({ path, action }) => ({
    path,
    action,
    text: added.get(path) ?? "",
  }));
}

/** What a patch adds, by the name that stands above it. */
function addedLines(patch: string): Map<string, string> {
  const added = new Map<string, string>();
  let name = "";
  for (const line of patch.split(/\r\n|[\r\n]/)) {
    const head =
      /^(?:\s*\*{3} (?:Add|Create|Update) File: *|\+{3} (?:[abciow]\/)?)([^\t]+)/i.exec(line)?.[1] ?? null;
    if (head !== null) name = head.trim();
    else if (line.startsWith("+")) added.set(name, `${added.get(name) ?? ""}${line.slice(1)}\n`);
  }
  return added;
}

/** The paths that such a tool changes: what it copies or unpacks stays as it is. */
export function changedPaths(tool: OtherTool): string[] {
  return changedByName(tool).map(({ path }) => path);
}

/** What a tool that nobody told us about changes, by the verbs of its name. */
function changedByName(tool: OtherTool): Changed[] {
  const verbs = changingVerbs(tool.name);
  if (verbs.length === 0 || tool.paths.length === 0) return [];
  const text = newText(tool.input);
  const has = (pattern: RegExp) => verbs.some((verb) => pattern.test(verb));
  const named = sourcesIn(tool);
  const keeps = has(/^(?:append|mkdir|touch)$/) || makesFolder(tool.name);
  const unpacks = has(/^(?:extract|unzip)$/);
  const moves = has(/^(?:move|mv|rename)$/);
  const from = moves && named.length === 0 ? tool.paths.slice(0, 1) : named;
  return tool.paths.flatMap((path): Changed | [] => {
    if (from.includes(path)) return moves ? { path, action: "move", tree: true } : [];
    if (moves || !verbs.some(takesTrees)) return { path, text, keeps };
    if (unpacks) return { path, tree: true, keeps: true };
    return { path, action: "delete", tree: isRecursive(tool) };
  });
}

function makesFolder(name: string): boolean {
  return /create.?(?:dir|folder)|make.?(?:dir|folder)/i.test(name);
}

function isRecursive({ name, input }: Pick<Tool, "name" | "input">): boolean {
  return /dir(?:ector|$|_)|folder|tree|recurs/i.test(name) || input.recursive === true;
}

const sourceKeys = "source src from source_path sourcePath old_path oldPath from_path archive".split(" ");

/** Where the arguments say what is moved or renamed. */
function sourcesIn({ input }: OtherTool): string[] {
  const inner = isDict(input.tool_input) ? input.tool_input : input;
  const lists = Object.values(inner).flatMap(list).map(dict);
  return [inner, ...lists].flatMap((one) =>
    sourceKeys.flatMap((key) => (typeof one[key] === "string" ? one[key] : [])),
  );
}

const mostText = 1_000_000;
const deepest = 4;

/** The texts of a call that come into its file; only looked at for Holdfast's name, so their order does not matter. */
function newText(input: Dict): string {
  const texts: string[] = [];
  let left = mostText;
  const collect = (value: unknown, depth: number): void => {
    if (typeof value === "string") {
      left -= value.length;
      if (left > 0) texts.push(value);
    } else if (depth < deepest && typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value)) if (!isOld(key)) collect(inner, depth + 1);
  };
  collect(input, 0);
  return texts.join("\n");
}

/** What an edit looks for goes away. */
function isOld(key: string): boolean {
  return /^(?:old|search|find|before|from|target_?content|file_?path|path)/i.test(key);
}
