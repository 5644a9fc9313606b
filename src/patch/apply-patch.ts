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
  let updated = "";
  for (const match of lines.matchAll(marker)) {
    const verb = (match[1] ?? "move").toLowerCase();
    const path = bare(match[2] ?? "");
    if (verb === "move" && updated !== "") touches.push({ path: updated, action: "move" });
    updated = verb === "update" ? path : "";
    touches.push({ path, action: verb === "delete" || verb === "remove" ? "delete" : "write" });
  }
  return touches.filter((touch, at) => !isMovedAway(touch, touches[at + 1]));
}

const blank = "[^\\S\\n]|\\u0085";
const marker = new RegExp(
  `(?:^|\\n)(?:${blank})*\\*{3}(?:${blank})*(?:(add|create|update|delete|remove) file|(?:move|rename) to)(?:${blank})*:([^\\n]*)`,
  "gi",
);

/** The path without the blanks and quotes around it. */
function bare(written: string): string {
  const path = written.replace(/^[\s\u0085]+|[\s\u0085]+$/g, "");
  const quoted = /^(["'`])(.+)\1$/s.exec(path);
  return quoted?.[2] ?? path;
}

/** The write of an update that turns out to be a move. */
function isMovedAway(touch: Touch, next: Touch | undefined): boolean {
  return touch.action === "write" && next?.action === "move" && next.path === touch.path;
}
