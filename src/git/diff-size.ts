import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import type { DiffSize } from "../core/repository.ts";
import { type Asking, ask, askLine, fields } from "./ask.ts";
import type { Status } from "./status.ts";

/**
 * Added plus removed lines of the working tree against HEAD; the lines of new text files count as added.
 * Binary files and submodules count nothing, a renamed file only what changed in it.
 */
export async function diffSize(asking: Asking, now: Status): Promise<DiffSize | { readonly why: string }> {
  const base = now.head ?? (await emptyTree(asking));
  const args = ["diff", "--numstat", "-z", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];
  const answer = await ask(asking, [...args, base, "--", ".", ":(exclude).holdfast"]);
  if (!answer.ok) return { why: answer.why };
  const untracked = now.entries.filter((entry) => entry.kind === "untracked").map((entry) => entry.name);
  const fresh = countFiles(asking.cwd, untracked);
  return { kind: "diff", lines: sumOf(fields(answer.out)) + fresh.lines, atLeast: fresh.atLeast };
}

/** Bytes read of one new file, and new files read in all. */
const mostBytes = 1024 * 1024;
const mostFiles = 5_000;
/** As git does: a NUL in the first bytes makes a file binary. */
const binaryProbe = 8_000;

async function emptyTree(asking: Asking): Promise<string> {
  return (await askLine(asking, ["hash-object", "-t", "tree", "--stdin"])) ?? "HEAD";
}

/** A rename's two names are fields of their own and hold no counts; a name with tabs cannot look like one. */
function sumOf(records: readonly Buffer[]): number {
  let sum = 0;
  for (let i = 0; i < records.length; i++) {
    const [, added, removed, name] =
      /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(records[i]?.toString("latin1") ?? "") ?? [];
    sum += (Number(added) || 0) + (Number(removed) || 0);
    if (name === "") i += 2;
  }
  return sum;
}

function countFiles(root: string, names: readonly Buffer[]): { lines: number; atLeast: boolean } {
  let lines = 0;
  let atLeast = names.length > mostFiles;
  const chunk = Buffer.allocUnsafe(mostBytes);
  for (const name of names.slice(0, mostFiles)) {
    const head = readHead(Buffer.concat([Buffer.from(`${root}/`), name]), chunk);
    if (head.length === mostBytes) atLeast = true;
    lines += countLines(head);
  }
  return { lines, atLeast };
}

function readHead(path: Buffer, into: Buffer): Buffer {
  let fd: number | null = null;
  try {
    // Opening a named pipe would wait for a writer.
    if (!lstatSync(path).isFile()) return into.subarray(0, 0);
    fd = openSync(path, "r");
    return into.subarray(0, readSync(fd, into, 0, into.length, 0));
  } catch {
    return into.subarray(0, 0);
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function countLines(text: Buffer): number {
  if (text.subarray(0, binaryProbe).includes(0)) return 0;
  let count = 0;
  for (let at = text.indexOf(10); at !== -1; at = text.indexOf(10, at + 1)) count++;
  return text.length > 0 && text.at(-1) !== 10 ? count + 1 : count;
}
