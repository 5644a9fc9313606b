import { distinct, type Touch } from "./touch.ts";

/**
 * The files a unified or context diff names, as `git apply` and `patch` read it: file headers, git's
 * extended headers (renames, modes, binary files), quoted and octal-escaped names, `/dev/null`.
 *
 * @param strip leading folders to take off each name (`-p`); null: the `a/` and `b/` that git adds.
 */
export function diffTouches(diff: string, strip: number | null = null): Touch[] {
  const lines = diff.split(/\r\n|[\r\n]/);
  const touches: Touch[] = [];
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? "";
    if (line.startsWith("diff --git ")) touches.push(...gitHeader(lines, at, strip));
    else if (line.startsWith("--- ") && next.startsWith("+++ ")) touches.push(...pair(line, next, strip));
    else if (isContextHeader(line, next)) touches.push(...pair(line, next, strip));
    else if (line.startsWith("Index: ")) {
      touches.push({ path: withoutFolders(headerName(line.slice(7)), strip ?? 0), action: "write" });
    }
  }
  return distinct(touches);
}

/** `--- a/x` and `+++ b/x`, or `*** x` and `--- x` of a context diff. */
function pair(before: string, after: string, strip: number | null): Touch[] {
  const [from, to] = stripped(headerName(before.slice(4)), headerName(after.slice(4)), strip);
  if (to === nothing) return [{ path: from, action: "delete" }];
  const write: Touch = { path: to, action: "write" };
  // `patch` picks either of two different names, by which file exists.
  return from === nothing || from === to ? [write] : [write, { path: from, action: "write" }];
}

const nothing = "/dev/null";

function isContextHeader(line: string, next: string): boolean {
  return line.startsWith("*** ") && next.startsWith("--- ") && !/^\*\*\* \d+(?:,\d+)? \*/.test(line);
}

/** The names in git's own header lines, which stand alone when no text changes. */
function gitHeader(lines: readonly string[], at: number, strip: number | null): Touch[] {
  const touches: Touch[] = [];
  let action: "write" | "delete" = "write";
  let named = false;
  for (const line of lines.slice(at + 1, at + 1 + mostExtended)) {
    if (!extended.test(line)) break;
    const name = /^(rename|copy) (from|to) (.*)$/.exec(line);
    if (line.startsWith("deleted file")) action = "delete";
    if (name === null) continue;
    named = true;
    const path = unquoted(name[3] ?? "");
    if (name[2] === "to") touches.push({ path, action: "write" });
    else if (name[1] === "rename") touches.push({ path, action: "move" });
  }
  if (named) return touches;
  const names = gitNames(lines[at]?.slice("diff --git ".length) ?? "");
  return names === null ? [] : stripped(names[0], names[1], strip).map((path) => ({ path, action }));
}

const extended = /^(?:old|new|deleted|rename|copy|similarity|dissimilarity|index) /;
const mostExtended = 8;

/**
 * The two names after `diff --git`. Unquoted names may hold blanks, so that only two equal halves
 * (past `a/` and `b/`) tell them apart; where names differ, other header lines repeat them.
 */
function gitNames(text: string): readonly [string, string] | null {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(text);
  if (quoted !== null) return [unquoted(quoted[1] ?? ""), unquoted(quoted[2] ?? "")];
  const middle = Math.floor(text.length / 2);
  const [before, after] = [text.slice(0, middle), text.slice(middle + 1)];
  const rest = (name: string) => name.slice(name.indexOf("/") + 1);
  return rest(before) === rest(after) ? [before, after] : null;
}

/** The name in a header line, without the time that some programs write after it. */
function headerName(text: string): string {
  const name = text.trimStart();
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(name);
  if (quoted !== null) return unquoted(quoted[0]);
  const tab = name.indexOf("\t");
  const plain = (tab < 0 ? name : name.slice(0, tab)).trimEnd();
  return plain.length > longestPath ? plain : plain.replace(/ +\d{4}-\d\d-\d\d \d\d:\d\d.*$/, "");
}

const longestPath = 4096;

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git's C-style quoting: octal bytes of UTF-8 and the usual letters. */
function unquoted(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const match of name.slice(1, -1).matchAll(/\\([0-7]{1,3})|\\(.)|([^\\]+)/gs)) {
    const [, octal, letter, plain] = match;
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else if (letter !== undefined) bytes.push(escapes[letter] ?? letter.charCodeAt(0));
    else for (const byte of encoder.encode(plain ?? "")) bytes.push(byte);
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Both names of one file. Git's prefixes differ (`a/` and `b/`); a folder's name does not. */
function stripped(from: string, to: string, strip: number | null): [string, string] {
  if (strip !== null) return [withoutFolders(from, strip), withoutFolders(to, strip)];
  if (from === to) return [from, to];
  return [from.replace(gitPrefix, ""), to.replace(gitPrefix, "")];
}

const gitPrefix = /^[abciow]\/(?=.)/;

function withoutFolders(name: string, count: number): string {
  if (name === nothing) return name;
  const parts = name.split(/\/+/);
  return count >= parts.length ? (parts.at(-1) ?? name) : parts.slice(count).join("/");
}
