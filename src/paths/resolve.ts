import type { World } from "../core/world.ts";
import { fold } from "./fold.ts";

/**
 * The absolute path a piece of text means, before symlinks: `.`, `..`, `//`, `~`, `file:` URLs and
 * Windows spellings are resolved by text alone. Always written with `/`, on every platform.
 */
export function resolvePath(written: string, world: World): string {
  return readings(written, world)[0] ?? slashed(world.cwd);
}

/**
 * Every absolute path the text may mean, the likeliest first. More than one where programs differ:
 * `\` as a separator or as part of a name, blanks around the path kept or trimmed, a NUL that ends
 * the path or not, invisible and look-alike signs taken at face value or not.
 */
export function readings(written: string, world: World): string[] {
  const texts = unwrapped(written).flatMap((text) => separatorReadings(text, world));
  return unique(texts.flatMap((text) => rooted(text, world)).map(lexical));
}

/**
 * The same readings with `..` left in, for a look-up on disk, where `link/..` is the parent of the
 * link's target. Empty when the text has no `..`.
 */
export function unresolvedReadings(written: string, world: World): string[] {
  if (!written.includes("..")) return [];
  const texts = unwrapped(written).flatMap((text) => separatorReadings(text, world));
  return unique(texts.flatMap((text) => rooted(text, world)));
}

/** Resolves `.`, `..` and repeated slashes in an absolute path by text alone. */
export function lexical(path: string): string {
  const drive = drivePrefix(path);
  const kept: string[] = [];
  for (const part of path.slice(drive.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") kept.pop();
    else kept.push(part);
  }
  return `${drive}/${kept.join("/")}`;
}

/** The named parts of an absolute path written with `/`; a drive letter counts as one. */
export function segments(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

/** A path of this machine written with `/`. */
export function slashed(path: string): string {
  return /^[A-Za-z]:|^\\\\/.test(path) ? path.replaceAll("\\", "/") : path;
}

/** The world with paths in that form. */
export function slashedWorld(world: World): World {
  if (world.platform !== "win32") return world;
  const { root, cwd, home, tmp } = world;
  return {
    ...world,
    root: root === null ? null : slashed(root),
    cwd: slashed(cwd),
    home: slashed(home),
    tmp: tmp.map(slashed),
    realpath: (path) => slashed(world.realpath(path)),
  };
}

function unwrapped(written: string): string[] {
  const texts = [written];
  const nul = written.indexOf("\0");
  if (nul > 0) texts.push(written.slice(0, nul));
  const trimmed = written.trim();
  if (trimmed !== written && trimmed !== "") texts.push(trimmed);
  // Before `..` is resolved: an invisible sign must not make a folder of its own.
  if (/[^\x20-\x7e]/.test(written)) texts.push(fold(written));
  return unique(texts).map(withoutUrl);
}

function withoutUrl(text: string): string {
  if (!text.includes(":")) return text;
  const match = /^\s*file:(?:\/\/(?:localhost(?=\/))?)?(?=[/\\.]|[A-Za-z]:)/i.exec(text);
  if (match === null) return text;
  const path = percentDecoded(text.slice(match[0].length).replace(/[?#].*$/s, ""));
  return /^\/[A-Za-z][:|]/.test(path) ? path.slice(1).replace("|", ":") : path;
}

/** Decodes what can be decoded: a stray `%` must not hide the rest of the path. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = run.slice(1).split("%");
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  });
}

function separatorReadings(text: string, world: World): string[] {
  if (!text.includes("\\")) return [text];
  const windows = text
    .replace(/^[\\/]{2}[?.][\\/](?:UNC[\\/])?/i, (prefix) => (/unc/i.test(prefix) ? "//" : ""))
    .replaceAll("\\", "/");
  if (world.platform === "win32") return [windows];
  return /^(?:[A-Za-z]:)?(?:\.{0,2}\\)/.test(text) ? [windows, text] : [text, windows];
}

function rooted(text: string, world: World): string[] {
  const cwd = slashed(world.cwd);
  if (text.startsWith("/")) {
    return [world.platform === "win32" ? drivePrefix(cwd) + text : throughProc(text, cwd)];
  }
  const home = tildeHome(text, world);
  if (home !== null) return [home];
  const drive = drivePrefix(text);
  if (drive === "") return [`${cwd}/${text}`];
  const rest = text.slice(drive.length);
  const onDrive = rest.startsWith("/") ? text : `${cwd}/${rest}`;
  return world.platform === "win32" ? [onDrive] : [onDrive, `${cwd}/${text}`];
}

function tildeHome(text: string, world: World): string | null {
  const match = /^~([^/]*)(?=\/|$)/.exec(text);
  if (match === null) return null;
  const home = slashed(world.home);
  const user = match[1] ?? "";
  if (user === "+") return slashed(world.cwd) + text.slice(2);
  if (user !== "" && user !== segments(home).at(-1)) return null;
  return home + text.slice(match[0].length);
}

/** `/proc/self/cwd` of the agent is not that of the process that decides, so it is read as text. */
function throughProc(text: string, cwd: string): string {
  const match = /^\/+proc\/+(?:self|thread-self|\d+)\/+(cwd|root)(?=\/|$)/.exec(text);
  if (match === null) return text;
  const rest = text.slice(match[0].length);
  return match[1] === "cwd" ? cwd + rest : `/${rest}`;
}

function drivePrefix(path: string): string {
  return /^[A-Za-z]:/.exec(path)?.[0] ?? "";
}

function unique(texts: readonly string[]): string[] {
  return texts.length < 2 ? [...texts] : [...new Set(texts)];
}
