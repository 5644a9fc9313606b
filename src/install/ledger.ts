import { readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import { type Dict, dict, isDict, list, text, texts } from "../core/read.ts";
import type { Scope } from "../core/setup.ts";
import { makePrivateDir, writeAtomic } from "../runtime/files.ts";
import type { Span } from "./edit/text.ts";

/** For whom an edit was made. Parts that no single agent owns carry the id `holdfast`. */
export interface Owner {
  readonly agent: string;
  readonly scope: Scope;
  /** Project that wants it, for a file that several projects use; else it is the file's own project. */
  readonly root?: string;
}

/** What was done to a file, in the terms in which it can be undone when the text around it has changed. */
export type Edit =
  | {
      readonly kind: "json-list";
      readonly at: readonly string[];
      readonly ours: readonly string[];
      readonly keysBefore: number;
      readonly positional: boolean;
    }
  | { readonly kind: "toml-list"; readonly at: readonly string[]; readonly ours: readonly string[] }
  | {
      readonly kind: "yaml-list";
      readonly at: readonly string[];
      readonly ours: readonly string[];
      readonly keysBefore: number;
    }
  | { readonly kind: "json-key"; readonly key: string }
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "own-file" }
  | { readonly kind: "hook-script"; readonly chained: string; readonly moved: boolean }
  | { readonly kind: "text" };

/** True for changes inside a file that stays the person's; the others make or replace whole files. */
export function isInsertion(kind: string): boolean {
  return ["json-list", "json-key", "toml-list", "yaml-list", "lines"].includes(kind);
}

export type OwnedEdit = Edit & { readonly owners: readonly Owner[] };

/** Everything known about one file Holdfast wrote. */
export interface LedgerFile {
  readonly file: string;
  readonly real: string;
  /** Project it belongs to; null for files of the person's home. */
  readonly root: string | null;
  /** Home folder when it was written. */
  readonly home: string;
  /** The person's bytes under ours; null when there was no file. */
  readonly before: { readonly sha256: string; readonly backup: string | null } | null;
  /** sha256 of the bytes as written. */
  readonly after: string;
  readonly spans: readonly Span[];
  readonly edits: readonly OwnedEdit[];
  /** Folders that were created for it, outermost first. */
  readonly createdDirs: readonly string[];
  /** Written down before the file was: the run that was to write it may have been killed. */
  readonly unfinished?: boolean;
  readonly mode: number | null;
  /** ISO time of the last write. */
  readonly when: string;
  readonly version: string;
}

export interface Ledger {
  readonly schema: 1;
  readonly files: readonly LedgerFile[];
}

const emptyLedger: Ledger = { schema: 1, files: [] };

function ledgerPath(holdfastHome: string): string {
  return join(holdfastHome, "ledger.json");
}

/**
 * Reads the record of what was written. A missing file is an empty ledger; a damaged one is a problem and never
 * an empty ledger, because that would make what we wrote look like the person's own.
 */
export function readLedger(holdfastHome: string): Ledger | Problem {
  const file = ledgerPath(holdfastHome);
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return emptyLedger;
    return damaged(file, causeOf(error));
  }
  try {
    return ledgerFrom(JSON.parse(source)) ?? damaged(file, "its content is not what Holdfast writes");
  } catch (error) {
    return damaged(file, causeOf(error));
  }
}

/** Replaces the ledger in one step; only the person may read it. */
export function writeLedger(holdfastHome: string, ledger: Ledger): void {
  makePrivateDir(holdfastHome);
  const body = `${JSON.stringify(ledger, null, 1)}\n`;
  writeAtomic(ledgerPath(holdfastHome), body, { mode: 0o600, replaceLink: true });
}

/**
 * A project must not be able to bring its own ledger, or cloning one could make uninstall delete files. Home
 * folders that are repositories keep their `~/.holdfast`, which no clone put there.
 */
export function homeInsideProject(holdfastHome: string, root: string | null, home: string): Problem | null {
  if (root === null || resolve(holdfastHome) === resolve(home, ".holdfast")) return null;
  const way = relative(resolve(root), resolve(holdfastHome));
  if (way === ".." || way.startsWith(`..${sep}`) || resolve(way) === way) return null;
  return problem(
    "HF127",
    "HOLDFAST_HOME lies inside the project, where anybody who commits could change it",
    {
      hint: "unset HOLDFAST_HOME, or set it to a folder outside the project",
      where: { file: holdfastHome },
    },
  );
}

/** Replaces or removes the entry of one real path. */
export function withFile(ledger: Ledger, real: string, entry: LedgerFile | null): Ledger {
  const others = ledger.files.filter((file) => file.real !== real);
  return { ...ledger, files: entry === null ? others : [...others, entry] };
}

export function isLedgerProblem(value: Ledger | Problem): value is Problem {
  return "code" in value;
}

function damaged(file: string, cause: string): Problem {
  return problem("HF121", "the record of what Holdfast wrote is damaged, so nothing is changed", {
    hint: `look at ${file}; move it away to go on without it: uninstall then recognises entries by their exact command`,
    cause,
    where: { file },
  });
}

function ledgerFrom(value: unknown): Ledger | null {
  if (!isDict(value) || value.schema !== 1 || !Array.isArray(value.files)) return null;
  const files = value.files.map(fileFrom);
  return files.some((file) => file === null)
    ? null
    : { schema: 1, files: files.filter((file) => file !== null) };
}

function fileFrom(value: unknown): LedgerFile | null {
  const from = dict(value);
  const file = text(from.file);
  const real = text(from.real);
  const after = text(from.after);
  const spans = list(from.spans).map(spanFrom);
  const edits = list(from.edits).map(editFrom);
  const before = beforeFrom(from.before);
  const whole = file !== null && real !== null && after !== null && before !== undefined;
  if (!whole || spans.includes(null) || edits.includes(null) || edits.length === 0) return null;
  return {
    file,
    real,
    root: text(from.root),
    home: text(from.home) ?? "",
    before,
    after,
    spans: spans.filter((span) => span !== null),
    edits: edits.filter((edit) => edit !== null),
    createdDirs: texts(from.createdDirs),
    ...(from.unfinished === true ? { unfinished: true } : {}),
    mode: typeof from.mode === "number" ? from.mode : null,
    when: text(from.when) ?? "",
    version: text(from.version) ?? "",
  };
}

function beforeFrom(value: unknown): LedgerFile["before"] | undefined {
  if (value === null) return null;
  const from = dict(value);
  const sha256 = text(from.sha256);
  return sha256 === null ? undefined : { sha256, backup: text(from.backup) };
}

function spanFrom(value: unknown): Span | null {
  const from = dict(value);
  const body = text(from.text);
  return typeof from.start === "number" && body !== null ? { start: from.start, text: body } : null;
}

function editFrom(value: unknown): OwnedEdit | null {
  const from = dict(value);
  const owners = list(from.owners).map(ownerFrom);
  if (owners.includes(null) || owners.length === 0) return null;
  const edit = kindFrom(from);
  return edit === null ? null : { ...edit, owners: owners.filter((owner) => owner !== null) };
}

function ownerFrom(value: unknown): Owner | null {
  const { agent, scope, root } = dict(value);
  const known = scope === "user" || scope === "project" || scope === "local";
  if (typeof agent !== "string" || !known) return null;
  return typeof root === "string" ? { agent, scope, root } : { agent, scope };
}

function kindFrom(from: Dict): Edit | null {
  switch (from.kind) {
    case "json-list": {
      const at = texts(from.at);
      const keysBefore = typeof from.keysBefore === "number" ? from.keysBefore : at.length;
      return {
        kind: "json-list",
        at,
        ours: texts(from.ours),
        keysBefore,
        positional: from.positional === true,
      };
    }
    case "toml-list":
      return { kind: "toml-list", at: texts(from.at), ours: texts(from.ours) };
    case "yaml-list": {
      const at = texts(from.at);
      const keysBefore = typeof from.keysBefore === "number" ? from.keysBefore : at.length;
      return { kind: "yaml-list", at, ours: texts(from.ours), keysBefore };
    }
    case "json-key":
      return { kind: "json-key", key: text(from.key) ?? "" };
    case "lines":
      return { kind: "lines", lines: texts(from.lines) };
    case "hook-script": {
      const chained = text(from.chained);
      return chained === null ? null : { kind: "hook-script", chained, moved: from.moved === true };
    }
    case "own-file":
    case "text":
      return { kind: from.kind };
    default:
      return null;
  }
}
