import { closeSync, lstatSync, openSync, readSync } from "node:fs";
import type { DiffSize } from "../core/repository.ts";
import { type Asking, ask, askLine, fields } from "./ask.ts";
import { type FileLines, generatedAmong } from "./generated.ts";
import { madeHere, type Start } from "./made-here.ts";
import type { Status } from "./status.ts";

/**
 * Added plus removed lines of what was committed here since `start` and of the working tree; the lines of new
 * text files count as added. Binary files and submodules count nothing, a renamed file only what changed in it,
 * and generated files are counted apart.
 * @param enough up to this many lines nobody asks which of them are generated; they may be among `lines` then
 */
export async function diffSize(
  asking: Asking,
  now: Status,
  start: Start,
  enough: number,
): Promise<DiffSize | { readonly why: string }> {
  const [last, ...earlier] = now.head === null ? [] : await madeHere(asking, start, now.head);
  const rows = earlier.map(({ from, to }) => [from, to]);
  const differs = last?.from !== now.head || now.entries.some((entry) => entry.kind === "tracked");
  const ways = differs ? [[last?.from ?? ""], ...rows] : rows;
  const changed: FileLines[] = [];
  for (const way of ways) {
    const files = await changedFiles(asking, way);
    if ("why" in files) return files;
    changed.push(...files);
  }
  const untracked = now.entries.filter((entry) => entry.kind === "untracked").map((entry) => entry.name);
  const fresh = countFiles(asking.cwd, untracked);
  const all = [...changed, ...fresh.files];
  const generated = sumOf(all) > enough ? await generatedAmong(asking, all) : new Set();
  const lines = sumOf(all.filter((file) => !generated.has(file)));
  const committed = earlier.length > 0 || (last !== undefined && last.from !== last.to);
  return { kind: "diff", lines, generated: sumOf(all) - lines, committed, atLeast: fresh.atLeast };
}

/** Bytes read of one new file, and new files read in all. */
const mostBytes = 1024 * 1024;
const mostFiles = 5_000;
/** As git does: a NUL in the first bytes makes a file binary. */
const binaryProbe = 8_000;

/** @param way one commit, against the working tree, or two; an empty name stands for no commit */
async function changedFiles(
  asking: Asking,
  way: readonly string[],
): Promise<FileLines[] | { readonly why: string }> {
  const args = ["diff", "--numstat", "-z", "-M", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];
  const ends = await Promise.all(way.map((name) => (name === "" ? emptyTree(asking) : name)));
  const answer = await ask(asking, [...args, ...ends, "--", ".", ":(exclude).holdfast"]);
  return answer.ok ? toFiles(fields(answer.out)) : { why: answer.why };
}

async function emptyTree(asking: Asking): Promise<string> {
  return (await askLine(asking, ["hash-object", "-t", "tree", "--stdin"])) ?? "HEAD";
}

/** A rename's two names are fields of their own and hold no counts; a name with tabs cannot look like one. */
function toFiles(records: readonly Buffer[]): FileLines[] {
  const files: FileLines[] = [];
  for (let i = 0; i < records.length; i++) {
    const [, added, removed, name = ""] =
      /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(records[i]?.toString("latin1") ?? "") ?? [];
    const lines = (Number(added) || 0) + (Number(removed) || 0);
    if (name === "") i += 2;
    if (lines > 0)
      files.push({
        name: name === "" ? (records[i] ?? Buffer.alloc(0)) : Buffer.from(name, "latin1"),
        lines,
      });
  }
  return files;
}

function sumOf(files: readonly FileLines[]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}

function countFiles(root: string, names: readonly Buffer[]): { files: FileLines[]; atLeast: boolean } {
  let atLeast = names.length > mostFiles;
  const chunk = Buffer.allocUnsafe(mostBytes);
  const files = names.slice(0, mostFiles).map((name) => {
    const head = readHead(Buffer.concat([Buffer.from(`${root}/`), name]), chunk);
    if (head.length === mostBytes) atLeast = true;
    return { name, lines: countLines(head) };
  });
  return { files: files.filter(({ lines }) => lines > 0), atLeast };
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
