import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import type { Machine } from "../core/setup.ts";
import { sha256 } from "./backup.ts";
import { shortPath, unifiedDiff } from "./diff.ts";
import { isProblem, readTarget, type Target } from "./disk.ts";
import { decode } from "./edit/text.ts";
import { type Edit, isInsertion, type LedgerFile, type OwnedEdit } from "./ledger.ts";
import type { PlanItem } from "./plan.ts";
import { type Level, removeInsertions } from "./remove-spans.ts";
import { removeManaged, removeText } from "./remove-whole.ts";
import type { Move, Step } from "./transaction.ts";

/** What happens to one file. */
export interface FileRemoval {
  readonly file: string;
  readonly level: Level;
  /** Null when nothing is written. */
  readonly step: Step | null;
  /** The ledger entry this is about; null for a file the ledger does not know. */
  readonly entry: LedgerFile | null;
  /** What the ledger says of the file afterwards; null: nothing. */
  readonly remains: LedgerFile | null;
  readonly diff: string;
  /** One sentence where the level does not say it all. */
  readonly words: string;
}

export type RemovalResult =
  | { readonly removal: FileRemoval; readonly warnings: readonly Problem[] }
  | { readonly refused: Problem };

/** What a removal needs to know besides the file. */
export interface RemovalContext {
  readonly machine: Machine;
  readonly holdfastHome: string;
  /** Managed files that were edited by hand and that the person agreed to remove, by path. */
  readonly agreed?: ReadonlySet<string>;
}

/** Takes the leaving edits out of a file of the ledger; `staying` are those that still have owners. */
export function removeKnown(
  entry: LedgerFile,
  leaving: readonly OwnedEdit[],
  staying: readonly OwnedEdit[],
  context: RemovalContext,
): RemovalResult {
  const file = whereNow(entry, context.machine);
  const target = readTarget(file);
  if (isProblem(target)) return { refused: target };
  const warnings = placeWarnings(entry, file, target);
  const done = (outcome: Outcome, remains: LedgerFile | null, more: readonly Problem[] = []) => ({
    removal: { ...removalOf(target, outcome, context), entry, remains },
    warnings: [...warnings, ...more],
  });
  const whole = leaving.find((edit) => !isInsertion(edit.kind));
  if (target.bytes === null && whole?.kind !== "hook-script") return done(goneAlready, null);
  if (leaving.length === 0) {
    const heir = staying.flatMap(({ owners }) => owners).find(({ root }) => root !== undefined)?.root;
    const words = heir === undefined ? "another agent still uses it" : `${heir} still uses it`;
    const remains = { ...entry, root: heir ?? entry.root, edits: staying };
    return done({ level: "kept", after: target.bytes, back: null, words }, remains);
  }
  if (whole !== undefined) {
    const cleaned = removeWhole(whole, entry, target, context);
    return "refused" in cleaned ? cleaned : done(cleaned, null);
  }
  const cleaned = removeInsertions(file, target.bytes ?? Buffer.alloc(0), leaving, entry, staying.length > 0);
  if ("refused" in cleaned) return cleaned;
  const { level, after, spans } = cleaned;
  const words =
    level === "structural" ? "the text around it had changed: recognised by the exact command or line" : "";
  const empty = staying.length === 0 || after === null;
  const remains = empty ? null : { ...entry, edits: staying, spans, after: sha256(after) };
  return done({ level, after, back: null, words }, remains, cleaned.warnings);
}

/**
 * Cleans a file the ledger does not know: of a fresh clone, or of an install whose ledger is lost. Exact commands,
 * whole lines and managed headers tell what is ours. Null when nothing is.
 */
export function removeUnknown(
  items: readonly PlanItem[],
  target: Target,
  context: RemovalContext,
): RemovalResult | null {
  if (target.bytes === null) return null;
  const edits = items.flatMap(editOf);
  const whole = edits.find((edit) => edit.kind === "own-file" || edit.kind === "hook-script");
  const cleaned =
    whole === undefined
      ? removeInsertions(target.file, target.bytes, edits, null, false)
      : removeManaged(whole, target, context.agreed?.has(target.file) === true);
  // A broken file in which nothing of ours stands is no business of an uninstall.
  if ("refused" in cleaned) return /holdfast/i.test(decode(target.bytes).text) ? cleaned : null;
  if (cleaned.level === "gone") return null;
  const words = "not in the ledger: recognised by the exact command, line or header";
  const outcome: Outcome = { back: null, ...cleaned, words };
  const removal = { ...removalOf(target, outcome, context), entry: null, remains: null };
  return { removal, warnings: "warnings" in cleaned ? cleaned.warnings : [] };
}

/** A home folder that moved took its files along: the same place below the new home is tried. */
function whereNow(entry: LedgerFile, machine: Machine): string {
  const moved = entry.home !== "" && entry.home !== machine.home && entry.file.startsWith(`${entry.home}/`);
  if (!moved || existsSync(entry.file)) return entry.file;
  return join(machine.home, entry.file.slice(entry.home.length + 1));
}

interface Outcome {
  readonly level: Level;
  readonly after: Buffer | null;
  readonly back: Move | null;
  readonly words: string;
}

const goneAlready: Outcome = { level: "gone", after: null, back: null, words: "the file is gone already" };

function removeWhole(edit: Edit, entry: LedgerFile, target: Target, context: RemovalContext) {
  if (edit.kind === "own-file" || edit.kind === "hook-script") {
    return removeManaged(edit, target, context.agreed?.has(entry.file) === true);
  }
  return removeText(entry, target, context.holdfastHome);
}

function editOf({ plan }: PlanItem): Edit[] {
  switch (plan.kind) {
    case "json-list": {
      const positional = plan.positional === true;
      return [{ kind: plan.kind, at: plan.at, ours: plan.ours, keysBefore: 0, positional }];
    }
    case "toml-list":
      return [{ kind: plan.kind, at: plan.at, ours: plan.ours }];
    case "yaml-list":
      return [{ kind: plan.kind, at: plan.at, ours: plan.ours, keysBefore: 0 }];
    case "json-key":
      return [{ kind: plan.kind, key: plan.key }];
    case "lines":
      return [{ kind: plan.kind, lines: plan.lines }];
    case "own-file":
      return [{ kind: plan.kind }];
    case "hook-script":
      // Our script runs a chained one wherever it stands; without ours it would silently never run again.
      return [{ kind: plan.kind, chained: plan.chained, moved: true }];
    default:
      return [];
  }
}

function removalOf(
  target: Target,
  outcome: Outcome,
  context: RemovalContext,
): Omit<FileRemoval, "entry" | "remains"> {
  const { file, real, bytes } = target;
  const { level, after, back, words } = outcome;
  const same = after === null ? bytes === null : bytes?.equals(after) === true;
  const step = { file, real, before: bytes, after, mode: null, aside: null, back };
  const name = shortPath(file, context.machine.root, context.machine.home);
  return {
    file,
    level,
    step: same && back === null ? null : step,
    diff: same ? "" : unifiedDiff(name, bytes, after),
    words,
  };
}

function placeWarnings(entry: LedgerFile, file: string, target: Target): Problem[] {
  if (file !== entry.file) {
    const message = `the home folder was ${entry.home} when this file was written; the file below the present one is meant`;
    return [problem("HF126", message, { severity: "warning", where: { file } })];
  }
  if (target.real === entry.real || target.bytes === null) return [];
  const message = `this path led to ${entry.real} when it was written and leads to ${target.real} now`;
  const hint = `look at ${entry.real} as well`;
  return [problem("HF107", message, { severity: "warning", hint, where: { file } })];
}
