import { lstatSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { readBackup, sha256 } from "./backup.ts";
import type { Target } from "./disk.ts";
import { ownershipOf } from "./edit/own-file.ts";
import type { Edit, LedgerFile } from "./ledger.ts";
import type { Level } from "./remove-spans.ts";
import type { Move } from "./transaction.ts";

/** What becomes of a file that was wholly ours, or of a text that the wizard wrote. */
export interface WholeCleaned {
  readonly level: Level;
  readonly after: Buffer | null;
  readonly back: Move | null;
  readonly words: string;
}

export type WholeCleaning = WholeCleaned | { readonly refused: Problem };

/**
 * Removes a managed file that is as we wrote it, by its header, so that it also works without a ledger. One that
 * was edited by hand goes only when the person agreed; a foreign one stays. A git hook that was chained comes
 * back under its own name.
 */
export function removeManaged(
  edit: Extract<Edit, { kind: "own-file" | "hook-script" }>,
  target: Target,
  agreed: boolean,
): WholeCleaning {
  const ownership = target.bytes === null ? "gone" : ownershipOf(target.bytes.toString("utf8"));
  const back = edit.kind === "hook-script" ? chainedBack(edit, target) : null;
  if (ownership === "edited" && !agreed) return { refused: editedByHand(target.file, back) };
  if (ownership === "foreign") {
    const words = back === null ? "" : `another tool's hook stands here now; yours is still at ${back.from}`;
    return { level: "gone", after: target.bytes, back: null, words };
  }
  const level = ownership === "gone" ? "gone" : "exact";
  return { level, after: null, back, words: back === null ? "" : `your own hook is back at ${back.to}` };
}

/** Puts the person's manifest back as it was, or leaves it when it has been edited since. */
export function removeText(entry: LedgerFile, target: Target, holdfastHome: string): WholeCleaned {
  const { bytes } = target;
  if (bytes === null) return { level: "gone", after: null, back: null, words: "" };
  const now = sha256(bytes);
  if (now === entry.before?.sha256) {
    return {
      level: "exact",
      after: bytes,
      back: null,
      words: "your own from before the install, so it stays",
    };
  }
  if (now !== entry.after) {
    return { level: "kept", after: bytes, back: null, words: "edited since, so it stays" };
  }
  if (entry.before === null) return { level: "exact", after: null, back: null, words: "" };
  const old = entry.before.backup === null ? null : readBackup(holdfastHome, entry.before.backup);
  return old === null
    ? { level: "kept", after: bytes, back: null, words: "its backup is missing, so it stays" }
    : { level: "exact", after: old, back: null, words: "" };
}

function chainedBack(edit: Extract<Edit, { kind: "hook-script" }>, target: Target): Move | null {
  return edit.moved && isThere(edit.chained) ? { from: edit.chained, to: target.real } : null;
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** A hook that only ours calls would never run again if ours were merely deleted. */
function editedByHand(file: string, back: Move | null): Problem {
  const way =
    back === null
      ? `rm ${quoted(file)}`
      : `mv ${quoted(back.from)} ${quoted(back.to)}   (puts your own hook back in its place)`;
  return problem("HF102", "this file of ours was edited by hand, so it is not removed", {
    hint: `Keep what you wrote into it, then: ${way}. Or answer yes to: holdfast uninstall`,
    where: { file },
    fixable: true,
  });
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
