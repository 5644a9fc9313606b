import { distinct, type Touch } from "./touch.ts";

/**
 * The files a Codex-style patch names, wherever in the text its markers stand: around it there may be
 * a here-document, several patches, or no Begin and End lines at all. Sees at least what the agents'
 * own parsers accept; they trim each line before they look for a marker, take the rest of it as the
 * path, and some read markers on context lines too.
 * Source: openai/codex codex-rs/apply-patch (parser and streaming parser), 2026-11, source.
 */
export function patchTouches(patch: string): Touch[] {
  const touches: Touch[] = [];
  let updated = "";
  for (const match of patch.matchAll(marker)) {
    const verb = (match[1] ?? "move").toLowerCase();
    const path = bare(match[2] ?? "");
    if (verb === "move" && updated !== "") touches.push({ path: updated, action: "move" });
    updated = verb === "update" ? path : "";
    touches.push({ path, action: verb === "delete" || verb === "remove" ? "delete" : "write" });
  }
  return distinct(touches.filter((touch, at) => !isMovedAway(touch, touches[at + 1])));
}

const blank = "[^\\S\\r\\n]|[\\u0085\\ufeff]";
const marker = new RegExp(
  `(?:^|\\r)(?:${blank})*\\*{3}(?:${blank})*(?:(add|create|update|delete|remove) file|(?:move|rename) to)(?:${blank})*:([^\\r\\n]*)`,
  "gim",
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
