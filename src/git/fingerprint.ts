import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { hash, hashAll } from "../core/hash.ts";
import { type Asking, askLine } from "./ask.ts";
import type { Status } from "./status.ts";
import { status } from "./status.ts";

/**
 * A hash that changes when the contents of the working tree change, and only then: the tree HEAD points to,
 * and path, kind and content of everything that differs from it. Staging or committing nothing new, rewording
 * a commit or touching a file changes nothing. Ignored files are not seen.
 */
export async function fingerprint(asking: Asking, now: Status, depth = 0): Promise<string> {
  const tree = now.head === null ? "" : await treeOf(asking, now.head);
  if (now.entries.length === 0) return cleanFingerprint(tree);
  const budget = { bytes: mostBytes };
  const parts: string[] = [];
  for (const { name } of now.entries) {
    const path = Buffer.concat([Buffer.from(`${asking.cwd}/`), name]);
    parts.push(name.toString("latin1"), contentOf(path, budget) ?? (await folderOf(asking, name, depth)));
  }
  return hashAll([tree, ...parts]);
}

/** What `fingerprint` gives once exactly this tree object is checked out. */
export function cleanFingerprint(tree: string): string {
  return hashAll([tree]);
}

/** Content above this size is told apart by size, time and inode instead. */
const hashedBytes = 1024 * 1024;
/** Content read for one fingerprint in all. */
const mostBytes = 64 * 1024 * 1024;
const mostNesting = 3;

async function treeOf(asking: Asking, head: string): Promise<string> {
  return (await askLine(asking, ["rev-parse", "--verify", "--quiet", `${head}^{tree}`])) ?? head;
}

/** Null for a folder: a submodule, or another repository inside this one. */
function contentOf(path: Buffer, budget: { bytes: number }): string | null {
  try {
    const stat = lstatSync(path, { bigint: true });
    if (stat.isDirectory()) return null;
    if (stat.isSymbolicLink()) return `link ${readlinkSync(path, "buffer").toString("latin1")}`;
    const runnable = (stat.mode & 0o100n) === 0n ? "file" : "runnable";
    const size = Number(stat.size);
    if (!stat.isFile() || size > Math.min(hashedBytes, budget.bytes)) {
      return `${runnable} ${stat.size} ${stat.mtimeNs} ${stat.ino}`;
    }
    budget.bytes -= size;
    return `${runnable} ${hash(readFileSync(path))}`;
  } catch {
    return "gone";
  }
}

async function folderOf(asking: Asking, name: Buffer, depth: number): Promise<string> {
  const inside = { ...asking, cwd: join(asking.cwd, name.toString("utf8")) };
  if (depth >= mostNesting || !existsSync(join(inside.cwd, ".git"))) return "folder";
  const found = await status(inside);
  return "why" in found ? "folder" : `repository ${await fingerprint(inside, found, depth + 1)}`;
}
