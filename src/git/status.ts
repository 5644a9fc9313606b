import { type Asking, ask, fields } from "./ask.ts";

export interface Status {
  /** Commit id; null before the first commit. */
  readonly head: string | null;
  readonly entries: readonly Entry[];
}

/** A path that differs from HEAD, in the index or in the working tree, or that git does not know. */
export interface Entry {
  /** Relative to the root, as bytes: a name need not be UTF-8. */
  readonly name: Buffer;
  readonly kind: "tracked" | "untracked" | "ignored";
  /** The working tree differs from the index, too (always so for those it does not track). */
  readonly unstaged: boolean;
}

/**
 * `git status` of the working tree, without Holdfast's own run state. Renames come as a deletion and an
 * addition. The untracked files are listed one by one, whatever the person's configuration says.
 * @param paths only what lies below these; all of it when empty
 * @param ignored also what is ignored, a folder that is ignored as a whole by its name
 */
export async function status(
  asking: Asking,
  paths: readonly string[] = [],
  ignored = false,
): Promise<Status | { readonly why: string }> {
  const answer = await ask(asking, [
    "--no-optional-locks",
    "--literal-pathspecs",
    "status",
    "--porcelain=v2",
    "-z",
    "--branch",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=none",
    ...(ignored ? ["--ignored=matching"] : []),
    ...(paths.length === 0 ? [] : ["--", ...paths]),
  ]);
  return answer.ok ? parseStatus(answer.out) : { why: answer.why };
}

/** Reads the answer of `git status --porcelain=v2 -z --branch` (git-status(1), "Porcelain Format Version 2"). */
export function parseStatus(out: Buffer): Status {
  let head: string | null = null;
  const entries: Entry[] = [];
  const records = fields(out);
  for (let i = 0; i < records.length; i++) {
    const record = records[i] ?? Buffer.alloc(0);
    const type = String.fromCharCode(record[0] ?? 0);
    if (type === "#") head = oidOf(record.toString("latin1")) ?? head;
    const name = nameOf(record, type);
    if (name === null || isOurs(name)) continue;
    const kind = type === "?" ? "untracked" : type === "!" ? "ignored" : "tracked";
    // A record reads `<type> <X><Y> …`; Y is the state of the working tree against the index.
    entries.push({ name, kind, unstaged: kind !== "tracked" || type === "u" || record[3] !== dot });
    // A rename's old name follows as a field of its own.
    if (type === "2") i++;
  }
  return { head, entries };
}

const dot = ".".charCodeAt(0);
const space = " ".charCodeAt(0);
/** Fields before the name, by record type. */
const fieldsBefore: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1, "!": 1 };

function oidOf(header: string): string | null {
  return /^# branch\.oid ([0-9a-f]+)$/.exec(header)?.[1] ?? null;
}

function nameOf(record: Buffer, type: string): Buffer | null {
  const before = fieldsBefore[type];
  if (before === undefined) return null;
  let at = 0;
  for (let i = 0; i < before; i++) {
    const next = record.indexOf(space, at);
    if (next === -1) return null;
    at = next + 1;
  }
  return record.subarray(at);
}

/** What Holdfast writes itself is no change of the person's or the agent's. */
function isOurs(name: Buffer): boolean {
  return name.subarray(0, 10).toString("latin1") === ".holdfast/";
}
