import { distinct, type Touch } from "./touch.ts";

/**
 * The files a Codex-style patch names, wherever in the text its markers stand: around it there may be
 * a here-document, several patches, or no Begin and End lines at all. Sees at least what the agents'
 * own parsers accept; they trim each line before they look for a marker, take the rest of it as the
 * path, and some read markers on context lines too.
 * Source: openai/codex codex-rs/apply-patch (parser and streaming parser), 2026-11, source.
 */
export function patchTouches(patch: string): Touch[] {
  const lines = patch.replaceAll("\r\n", "\n");
  if (!lines.includes("\r")) return distinct(marked(lines));
  // A lone CR is part of a path for Codex and a line end for others.
  return distinct([...marked(lines), ...marked(lines.replaceAll("\r", "\n"))]);
}

function marked(lines: string): Touch[] {
  const touches: Touch[] = [];
  let updated: string[] = [];
  for (const match of lines.matchAll(marker)) {
    const verb = (match[1] ?? "move").toLowerCase();
    const paths = readings(match[2] ?? "");
    if (verb === "move") touches.push(...updated.map((path): Touch => ({ path, action: "move" })));
    updated = verb === "update" ? paths : [];
    const action = verb === "delete" || verb === "remove" ? "delete" : "write";
    touches.push(...paths.map((path): Touch => ({ path, action })));
  }
  const moved = new Set(touches.filter(({ action }) => action === "move").map(({ path }) => path));
  return touches.filter(({ path, action }) => action !== "write" || !moved.has(path));
}

const blank = "[^\\S\\n]|\\u0085";
const marker = new RegExp(
  `(?:^|\\n)(?:${blank})*\\*{3}(?:${blank})*(?:(add|create|update|delete|remove) file|(?:move|rename) to)(?:${blank})*:([^\\n]*)`,
  "gi",
);

/** The path freed of blanks and quotes around it, and as Codex takes it, with all but one blank in front. */
function readings(written: string): string[] {
  let end = written.length;
  while (end > 0 && isBlank(written[end - 1])) end--;
  let start = written.startsWith(" ") && end > 0 ? 1 : 0;
  const verbatim = written.slice(start, end);
  while (start < end && isBlank(written[start])) start++;
  const trimmed = written.slice(start, end);
  const bare = /^(["'`])(.+)\1$/s.exec(trimmed)?.[2] ?? trimmed;
  return bare === verbatim ? [bare] : [bare, verbatim];
}

/** What Rust trims: other than JavaScript's blanks not U+FEFF, but U+0085. */
function isBlank(char = ""): boolean {
  return /[^\S\ufeff]|\u0085/.test(char);
}
