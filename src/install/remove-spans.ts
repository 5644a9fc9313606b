import { isDeepStrictEqual } from "node:util";
import { type Problem, problem } from "../core/problem.ts";
import { sha256 } from "./backup.ts";
import { removeJsonKey } from "./edit/json-key.ts";
import { removeEntries } from "./edit/json-remove.ts";
import { isFault, parseJson, piecesBetween, readValue } from "./edit/json-tree.ts";
import { meaningfulLines, removeLines } from "./edit/lines.ts";
import {
  type Change,
  cut,
  type Decoded,
  decode,
  encode,
  locate,
  placeAt,
  type Span,
  trackSpans,
} from "./edit/text.ts";
import { removeTomlEntries, sameToml } from "./edit/toml-remove.ts";
import { parseToml } from "./edit/toml-tree.ts";
import { removeYamlEntries, sameYaml } from "./edit/yaml-remove.ts";
import { parseYaml } from "./edit/yaml-tree.ts";
import type { Edit, LedgerFile } from "./ledger.ts";

/**
 * How a file is cleaned. `exact`: the bytes from before. `span`: our text out of a file that changed around it.
 * `structural`: entries recognised by their exact command or line. `gone`: nothing of ours is there.
 * `kept`: the file is the person's now and stays.
 */
export type Level = "exact" | "span" | "structural" | "gone" | "kept";

/** A file without our part. `after` null: the file held nothing else and is removed. */
interface Cleaned {
  readonly level: Level;
  readonly after: Buffer | null;
  /** What is still ours afterwards, when only some owners left. */
  readonly spans: readonly Span[];
  readonly warnings: readonly Problem[];
}

export type Cleaning = Cleaned | { readonly refused: Problem };

/** What the ledger knows of the file; null when only the plans of today tell what is ours. */
type Known = Pick<LedgerFile, "before" | "after" | "spans"> | null;

/**
 * Takes our insertions out of a file. `edits` are those to remove, `partial` that others of ours stay.
 * The text of a span is only cut when the file then means the same as after removing our entries one by one.
 */
export function removeInsertions(
  file: string,
  now: Buffer,
  edits: readonly Edit[],
  known: Known,
  partial: boolean,
): Cleaning {
  const decoded = decode(now);
  const sweep = sweepOut(decoded.text, edits, known?.spans ?? []);
  const ranges = known === null || partial ? null : locate(known.spans, decoded.text);
  const plain = ranges === null || ranges.length === 0 ? null : cut(decoded.text, ranges);
  if (
    plain !== null &&
    sha256(now) === known?.after &&
    restores(plain, decoded, known) &&
    isClean(plain, edits)
  ) {
    return finish(plain, decoded, edits, { level: "exact", created: known.before === null });
  }
  if ("offset" in sweep) return { refused: unparsable(file, decoded.text, sweep) };
  const created = known !== null && known.before === null && !partial;
  const warnings = sweep.renumbers ? [renumbered(file)] : [];
  if (plain !== null && meansSame(plain, sweep.text, edits)) {
    return { ...finish(plain, decoded, edits, { level: "span", created }), warnings };
  }
  if (sweep.changes.length === 0)
    return { level: "gone", after: now, spans: known?.spans ?? [], warnings: [] };
  const swept = finish(sweep.text, decoded, edits, { level: "structural", created });
  return { ...swept, spans: sweep.spans, warnings };
}

/** Bytes from before can hold older entries of ours, when the ledger of that install was lost. */
function isClean(plain: string, edits: readonly Edit[]): boolean {
  const sweep = sweepOut(plain, edits, []);
  return "offset" in sweep || sweep.changes.length === 0;
}

interface Sweep {
  readonly text: string;
  readonly changes: readonly Change[];
  readonly spans: readonly Span[];
  readonly renumbers: boolean;
}

/** Removes entry by entry, the last edit first, so that keys an earlier one created can empty. */
function sweepOut(
  text: string,
  edits: readonly Edit[],
  spans: readonly Span[],
): Sweep | { offset: number; words: string } {
  let sweep: Sweep = { text, changes: [], spans, renumbers: false };
  for (const edit of [...edits].reverse()) {
    if (edit.kind === "json-list") {
      const removal = removeEntries(sweep.text, edit);
      if (removal === null) return faultOf(sweep.text, edits);
      const renumbers = sweep.renumbers || (edit.positional && removal.renumbers);
      sweep = { ...follow(sweep, removal), renumbers };
    } else if (edit.kind === "toml-list") {
      const removal = removeTomlEntries(sweep.text, edit);
      if (removal === null) return faultOf(sweep.text, edits);
      sweep = follow(sweep, removal);
    } else if (edit.kind === "yaml-list") {
      const removal = removeYamlEntries(sweep.text, edit);
      if (removal === null) return faultOf(sweep.text, edits);
      sweep = follow(sweep, removal);
    } else if (edit.kind === "json-key") {
      const removal = removeJsonKey(sweep.text, edit.key);
      if (removal === null) return faultOf(sweep.text, edits);
      sweep = follow(sweep, removal);
    } else if (edit.kind === "lines") {
      sweep = follow(sweep, removeLines(edit.lines, sweep.text));
    }
  }
  return sweep;
}

function follow(
  sweep: Sweep,
  removal: { readonly text: string; readonly changes: readonly Change[] },
): Sweep {
  let text = sweep.text;
  let spans = sweep.spans;
  for (const change of removal.changes) {
    text = text.slice(0, change.at) + change.text + text.slice(change.at + change.removed);
    spans = trackSpans(spans, change, text);
  }
  return { ...sweep, text, spans, changes: [...sweep.changes, ...removal.changes] };
}

function faultOf(text: string, edits: readonly Edit[]): { offset: number; words: string } {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const body = text.slice(bom);
  const parsed = isToml(edits) ? parseToml(body) : isYaml(edits) ? parseYaml(body) : parseJson(body);
  return "offset" in parsed ? { ...parsed, offset: parsed.offset + bom } : { offset: 0, words: "unclear" };
}

/** The hash from before proves it; where there was no file, nothing but ours was in it. */
function restores(plain: string, decoded: Decoded, known: Pick<LedgerFile, "before">): boolean {
  if (known.before === null) return plain === "";
  return sha256(encode(plain, decoded.encoding)) === known.before.sha256;
}

function meansSame(a: string, b: string, edits: readonly Edit[]): boolean {
  if (edits.every((edit) => edit.kind === "lines")) {
    return isDeepStrictEqual(meaningfulLines(a), meaningfulLines(b));
  }
  if (isYaml(edits)) return sameYaml(a.replace(/^\uFEFF/, ""), b.replace(/^\uFEFF/, ""));
  if (isToml(edits)) return sameToml(a.replace(/^\uFEFF/, ""), b.replace(/^\uFEFF/, ""));
  const [left, right] = [parseJson(a.replace(/^\uFEFF/, "")), parseJson(b.replace(/^\uFEFF/, ""))];
  if (isFault(left) || isFault(right)) return false;
  if (left.root === null || right.root === null) return isBlank(a, edits) && isBlank(b, edits);
  return isDeepStrictEqual(readValue(left), readValue(right));
}

function isToml(edits: readonly Edit[]): boolean {
  return edits.some((edit) => edit.kind === "toml-list");
}

function isYaml(edits: readonly Edit[]): boolean {
  return edits.some((edit) => edit.kind === "yaml-list");
}

function finish(
  text: string,
  decoded: Decoded,
  edits: readonly Edit[],
  how: { readonly level: Level; readonly created: boolean },
): Cleaned {
  const gone = how.created && isBlank(text, edits);
  return { level: how.level, after: gone ? null : encode(text, decoded.encoding), spans: [], warnings: [] };
}

/** True when the text says nothing: blanks, or an empty object without a comment. */
function isBlank(text: string, edits: readonly Edit[]): boolean {
  const body = text.replace(/^\uFEFF/, "");
  if (isToml(edits) || isYaml(edits) || edits.every((edit) => edit.kind === "lines"))
    return body.trim() === "";
  return /^\s*(\{\s*\})?\s*$/.test(body) && piecesBetween(body, 0, body.length).length === 0;
}

function renumbered(file: string): Problem {
  return problem(
    "HF125",
    "entries of yours stand behind ours and move up; this agent knows them by position",
    {
      severity: "warning",
      hint: "review and approve your own hooks there once more",
      where: { file },
    },
  );
}

function unparsable(
  file: string,
  text: string,
  fault: { readonly offset: number; readonly words: string },
): Problem {
  return problem("HF104", `the file does not parse (${fault.words}), so nothing is taken out of it`, {
    hint: "repair the file, then run the command again",
    where: { file, ...placeAt(text, fault.offset) },
  });
}
