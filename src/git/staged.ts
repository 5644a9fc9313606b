import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Staged, StagedFile } from "../core/repository.ts";
import { readText } from "../runtime/files.ts";
import { type Answer, type Asking, ask, askLine, fields } from "./ask.ts";
import { status } from "./status.ts";
import { fingerprintOfIndex } from "./to-be.ts";

/**
 * What the commit in the making records, read from its index, not from the working tree. Only news count:
 * while a merge, cherry-pick, revert or rebase is going on, a file that is staged exactly as one of the
 * commits that are brought together has it was not written by this commit.
 */
export async function staged(asking: Asking): Promise<Staged | { readonly why: string }> {
  const files = await news(asking);
  if ("why" in files) return files;
  const now = await status(asking);
  if ("why" in now) return now;
  const otherChanges = now.entries.some((entry) => entry.unstaged);
  const fingerprint = otherChanges ? null : await fingerprintOfIndex(asking);
  return { kind: "staged", files: [...files.values()], otherChanges, fingerprint };
}

type Changes = Map<string, StagedFile>;

async function news(asking: Asking): Promise<Changes | { readonly why: string }> {
  const against = await changesAgainst(asking, null);
  if ("why" in against || against.size === 0) return against;
  for (const base of await broughtTogether(asking)) {
    const changes = await changesAgainst(asking, base);
    if ("why" in changes) continue;
    for (const name of [...against.keys()]) if (!changes.has(name)) against.delete(name);
  }
  return against;
}

/** The index against a commit; null: against HEAD, or against nothing before the first commit. */
async function changesAgainst(
  asking: Asking,
  base: string | null,
): Promise<Changes | { readonly why: string }> {
  const args = ["diff", "--cached", "--name-status", "-z", "--no-renames", "--no-ext-diff"];
  const commit = base === null ? [] : [base];
  const answer: Answer = await ask(asking, [...args, "--ignore-submodules=none", ...commit, "--"]);
  return answer.ok ? toChanges(asking.cwd, fields(answer.out)) : { why: answer.why };
}

const changeOf: Readonly<Record<string, StagedFile["change"]>> = { A: "added", D: "deleted" };

function toChanges(root: string, records: readonly Buffer[]): Changes {
  const changes: Changes = new Map();
  for (let i = 0; i + 1 < records.length; i += 2) {
    const bytes = records[i + 1] ?? Buffer.alloc(0);
    const name = bytes.toString("utf8");
    const change = changeOf[records[i]?.toString("latin1") ?? ""] ?? "modified";
    // Keyed by the bytes: two names that are not UTF-8 may read the same.
    changes.set(bytes.toString("latin1"), { name, path: join(root, name), change });
  }
  return changes;
}

/** Commits besides HEAD whose contents this commit may carry over without that being its doing. */
async function broughtTogether(asking: Asking): Promise<string[]> {
  const names = ["MERGE_HEAD", "rebase-merge", "rebase-apply"];
  const paths = await askLine(asking, ["rev-parse", ...names.flatMap((name) => ["--git-path", name])]);
  if (paths === null) return [];
  const [mergeHead = "", ...rebases] = paths.split("\n").map((path) => resolve(asking.cwd, path));
  // REBASE_HEAD stays behind after a rebase (seen: git 2.39.5, ran); only the folder says that one is going on.
  const rebased = rebases.some((path) => existsSync(path)) ? ["REBASE_HEAD"] : [];
  const commits = await Promise.all(
    ["CHERRY_PICK_HEAD", "REVERT_HEAD^", ...rebased].map((name) =>
      askLine(asking, ["rev-parse", "--verify", "--quiet", name]),
    ),
  );
  // One merged commit a line: an octopus merge has several.
  const merged = (readText(mergeHead) ?? "").split("\n").filter(Boolean);
  return [...merged, ...commits.filter((commit) => commit !== null)];
}
