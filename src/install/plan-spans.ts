import { isDeepStrictEqual } from "node:util";
import { type Problem, problem } from "../core/problem.ts";
import type { FilePlan, Machine } from "../core/setup.ts";
import { backupId, sha256 } from "./backup.ts";
import type { Target } from "./disk.ts";
import { planJsonList } from "./edit/json.ts";
import { planJsonKey } from "./edit/json-key.ts";
import { missingLines, planLines } from "./edit/lines.ts";
import type { Outcome } from "./edit/outcome.ts";
import {
  applyChange,
  cut,
  type Decoded,
  decode,
  encode,
  locate,
  type Span,
  trackSpans,
} from "./edit/text.ts";
import { planTomlList } from "./edit/toml.ts";
import { planYamlList } from "./edit/yaml.ts";
import type { Edit, LedgerFile, OwnedEdit, Owner } from "./ledger.ts";
import type { FileChange, FileOutcome, PlanItem } from "./plan.ts";

/**
 * Plans the insertions into a file that is the person's. Several wishes are worked in one after the other;
 * what is ours stays known as spans of the final text, also across earlier installs.
 */
export function planSpans(
  items: readonly PlanItem[],
  target: Target,
  prior: LedgerFile | null,
  machine: Machine,
): FileOutcome {
  const decoded = target.bytes === null ? empty : decode(target.bytes);
  const foreign = notUtf8(items, target.file, decoded);
  if (foreign !== null) return { kind: "refused", problem: foreign };
  const found = prior === null ? [] : locate(prior.spans, decoded.text);
  const start: Draft = {
    text: decoded.text,
    spans: (found ?? []).map((range) => ({
      start: range.start,
      text: decoded.text.slice(range.start, range.end),
    })),
    edits: target.bytes === null ? [] : (prior?.edits ?? []),
  };
  // Asked of the person's own text first, so that lines and columns are those they see.
  const warnings: Problem[] = [];
  for (const item of items) {
    const outcome = outcomeOf(item, start.text);
    if (outcome.kind === "refused") return outcome;
    warnings.push(
      ...outcome.warnings.filter((found) => !warnings.some((other) => isDeepStrictEqual(other, found))),
    );
  }
  let draft = start;
  for (const item of items) {
    const outcome = outcomeOf(item, draft.text);
    if (outcome.kind === "refused") return outcome;
    draft = advance(draft, item, outcome);
  }
  if (draft.text === start.text && sameOwners(draft.edits, start.edits)) return { kind: "same", warnings };
  const origin = originOf(target, prior, decoded, found !== null, items);
  return { kind: "change", change: changeFrom(draft, decoded, items, target, origin, machine), warnings };
}

interface Draft {
  readonly text: string;
  readonly spans: readonly Span[];
  readonly edits: readonly OwnedEdit[];
}

const empty: Decoded = { text: "", encoding: "utf8" };

function outcomeOf(item: PlanItem, text: string): Outcome {
  const { plan } = item;
  if (plan.kind === "json-list") return planJsonList(plan, text);
  if (plan.kind === "toml-list") return planTomlList(plan, text);
  if (plan.kind === "yaml-list") return planYamlList(plan, text);
  if (plan.kind === "json-key") return planJsonKey(plan, text);
  if (plan.kind === "lines") return planLines(plan.lines, text);
  const message = `two agents want this file in different ways (${plan.kind})`;
  return { kind: "refused", problem: problem("HF114", message, { where: { file: plan.file } }) };
}

function advance(draft: Draft, item: PlanItem, outcome: Exclude<Outcome, { kind: "refused" }>): Draft {
  if (outcome.kind === "same") return { ...draft, edits: alsoOwnedBy(draft.edits, item) };
  const text = applyChange(draft.text, outcome.change);
  const edit = editOf(item, draft, outcome);
  return {
    text,
    spans: trackSpans(draft.spans, outcome.change, text),
    edits: edit === null ? draft.edits : withEdit(draft.edits, edit, item.owner),
  };
}

function editOf(item: PlanItem, draft: Draft, outcome: { readonly keysBefore: number }): Edit | null {
  const { plan } = item;
  if (plan.kind === "json-list") {
    const keysBefore = personsKeys(plan.at, outcome.keysBefore, draft.edits);
    return {
      kind: "json-list",
      at: plan.at,
      ours: plan.ours,
      keysBefore,
      positional: plan.positional === true,
    };
  }
  if (plan.kind === "toml-list") return { kind: plan.kind, at: plan.at, ours: plan.ours };
  if (plan.kind === "yaml-list") {
    const keysBefore = personsKeys(plan.at, outcome.keysBefore, draft.edits);
    return { kind: plan.kind, at: plan.at, ours: plan.ours, keysBefore };
  }
  if (plan.kind === "json-key") return { kind: plan.kind, key: plan.key };
  if (plan.kind !== "lines") return null;
  return { kind: "lines", lines: missingLines(plan.lines, draft.text) };
}

/** A key that an earlier edit of ours created is not the person's. */
function personsKeys(at: readonly string[], existing: number, edits: readonly Edit[]): number {
  return edits.reduce((keys, edit) => {
    if (edit.kind !== "json-list" && edit.kind !== "yaml-list") return keys;
    const differs = at.findIndex((key, i) => key !== edit.at[i]);
    const common = differs < 0 ? at.length : differs;
    return edit.keysBefore < common ? Math.min(keys, edit.keysBefore) : keys;
  }, existing);
}

function withEdit(edits: readonly OwnedEdit[], edit: Edit, owner: Owner): OwnedEdit[] {
  const old = edits.find((other) => isSameEdit(other, edit));
  if (old === undefined) return [...edits, { ...edit, owners: [owner] }];
  return edits.map((other) => (other === old ? { ...old, owners: addOwner(old.owners, owner) } : other));
}

/** The file has the entry already. If the ledger knows it as ours, it now serves one more owner. */
function alsoOwnedBy(edits: readonly OwnedEdit[], item: PlanItem): OwnedEdit[] {
  const { plan, owner } = item;
  return edits.map((edit) => (serves(edit, plan) ? { ...edit, owners: addOwner(edit.owners, owner) } : edit));
}

function serves(edit: Edit, plan: FilePlan): boolean {
  if (edit.kind === "lines" && plan.kind === "lines")
    return edit.lines.every((line) => plan.lines.includes(line));
  if (edit.kind === "json-key" && plan.kind === "json-key") return edit.key === plan.key;
  if (!isList(edit) || !isList(plan) || edit.kind !== plan.kind) return false;
  return isSameEdit(edit, { ...edit, at: plan.at, ours: plan.ours });
}

function isList<T extends { readonly kind: string }>(
  one: T,
): one is Extract<T, { kind: "json-list" | "toml-list" | "yaml-list" }> {
  return one.kind === "json-list" || one.kind === "toml-list" || one.kind === "yaml-list";
}

function isSameEdit(a: Edit, b: Edit): boolean {
  const key = (edit: Edit) => {
    if (isList(edit)) return [edit.at, edit.ours];
    if (edit.kind === "json-key") return edit.key;
    return edit.kind === "lines" ? edit.lines : edit.kind;
  };
  return a.kind === b.kind && JSON.stringify(key(a)) === JSON.stringify(key(b));
}

export function addOwner(owners: readonly Owner[], owner: Owner): readonly Owner[] {
  const known = owners.some(
    (other) => other.agent === owner.agent && other.scope === owner.scope && other.root === owner.root,
  );
  return known ? owners : [...owners, owner];
}

function sameOwners(a: readonly OwnedEdit[], b: readonly OwnedEdit[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface Origin {
  readonly before: LedgerFile["before"];
  readonly keep: Buffer | null;
}

/** What the person had before Holdfast, and whether it still has to be backed up. */
function originOf(
  target: Target,
  prior: LedgerFile | null,
  decoded: Decoded,
  located: boolean,
  items: readonly PlanItem[],
): Origin {
  const { bytes, real } = target;
  if (bytes === null) return { before: null, keep: null };
  const sha = sha256(bytes);
  if (prior === null) {
    const hasOurs = items.some(({ plan }) => isList(plan) && plan.ours.some((c) => holds(decoded.text, c)));
    return hasOurs
      ? { before: { sha256: sha, backup: null }, keep: null }
      : { before: { sha256: sha, backup: backupId(real, sha) }, keep: bytes };
  }
  if (sha === prior.after) return { before: prior.before, keep: null };
  const ranges = located ? (locate(prior.spans, decoded.text) ?? []) : [];
  const rest = encode(cut(decoded.text, ranges), decoded.encoding);
  return { before: { sha256: sha256(rest), backup: prior.before?.backup ?? null }, keep: null };
}

function holds(text: string, command: string): boolean {
  return text.includes(JSON.stringify(command)) || text.includes(`'${command}'`);
}

function changeFrom(
  draft: Draft,
  decoded: Decoded,
  items: readonly PlanItem[],
  target: Target,
  origin: Origin,
  machine: Machine,
): Omit<FileChange, "diff"> {
  const { file, real, bytes, mode } = target;
  const after = encode(draft.text, decoded.encoding);
  const written = bytes === null || !after.equals(bytes);
  return {
    file,
    owners: items.reduce<readonly Owner[]>((owners, item) => addOwner(owners, item.owner), []),
    step: written ? { file, real, before: bytes, after, mode: null, aside: null, back: null } : null,
    record: {
      file,
      real,
      root: items[0]?.root ?? null,
      home: machine.home,
      before: origin.before,
      after: sha256(after),
      spans: draft.spans,
      edits: draft.edits,
      mode,
    },
    keep: origin.keep,
    note: "",
  };
}

function notUtf8(items: readonly PlanItem[], file: string, decoded: Decoded): Problem | null {
  if (decoded.encoding === "utf8") return null;
  const plainLines = items.every(
    ({ plan }) => plan.kind === "lines" && plan.lines.every((line) => /^[\x20-\x7e]*$/.test(line)),
  );
  if (plainLines) return null;
  return problem("HF113", "the file is not UTF-8, so nothing is written to it", {
    hint: "save it as UTF-8, then run the command again",
    where: { file },
  });
}
