import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dict, text, texts } from "../core/read.ts";
import { toKeptCall } from "./kept-call.ts";
import type { Entry } from "./write.ts";

/** The journal's entries, oldest first, the rotated file included. A damaged line is skipped and counted. */
export function readEntries(home: string): { readonly entries: Entry[]; readonly damaged: number } {
  const lines = ["journal.jsonl.1", "journal.jsonl"].flatMap((name) => linesOf(join(home, name)));
  const entries: Entry[] = [];
  for (const line of lines) {
    const entry = parseEntry(line);
    if (entry !== null) entries.push(entry);
  }
  return { entries, damaged: lines.length - entries.length };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

function parseEntry(line: string): Entry | null {
  try {
    const raw = dict(JSON.parse(line));
    const at = text(raw.at);
    const agent = text(raw.agent);
    const event = text(raw.event);
    if (at === null || agent === null || event === null) return null;
    return {
      at,
      agent,
      event,
      session: text(raw.session),
      project: text(raw.project),
      tool: text(raw.tool),
      summary: text(raw.summary) ?? "",
      decision: text(raw.decision) ?? "",
      by: texts(raw.by),
      ms: typeof raw.ms === "number" ? raw.ms : 0,
      id: text(raw.id),
      call: text(raw.call),
      decided: text(raw.decided) ?? text(raw.decision) ?? "",
      cwd: text(raw.cwd),
      ...(raw.weighed === true ? { weighed: true } : {}),
      input: toKeptCall(raw.input),
    };
  } catch {
    return null;
  }
}
