import { diffTouches } from "../../patch/unified-diff.ts";
import { isKnown } from "../marks.ts";
import type { Call } from "../model.ts";
import { has, optionValue, optionValues, type Parsed, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { bring, touch } from "../record.ts";

/** A command line that applies a patch: where the patch comes from, and how its names become paths. */
export interface Applied {
  /** Files with the patch, as written; none: standard input. */
  readonly sources: readonly string[];
  readonly strip: number;
  readonly folder: string | null;
  /** It takes back what the patch did. */
  readonly reverse: boolean;
}

/** How a program applies a patch; null for any other command, and for one that only looks. */
export function appliedBy(name: string, args: readonly string[]): Applied | null {
  if (name === "patch" || name === "gpatch") return appliedByPatch(args);
  if (name !== "git" && name !== "hub") return null;
  const [verb, ...rest] = args;
  if (verb === "apply") return appliedByGit(readOptions(rest, "pC directory exclude include whitespace"));
  if (verb !== "am") return null;
  const parsed = readOptions(rest, "pC directory exclude include whitespace patch-format");
  return has(parsed, "--abort", "--skip", "--quit", "--continue", "--show-current-patch")
    ? null
    : appliedByGit(parsed);
}

function appliedByGit(parsed: Parsed): Applied | null {
  if (has(parsed, "--check", "--stat", "--numstat", "--summary", "--cached") && !has(parsed, "--apply"))
    return null;
  return {
    sources: parsed.operands.filter((word) => word !== "-"),
    strip: Number(optionValue(parsed, "-p") ?? 1),
    folder: optionValue(parsed, "--directory"),
    reverse: has(parsed, "-R", "--reverse"),
  };
}

const patchOptions = "pioDdFrBVYzg strip input output directory fuzz reject-file";

function appliedByPatch(args: readonly string[]): Applied | null {
  const parsed = readOptions(args, patchOptions);
  if (has(parsed, "--dry-run")) return null;
  const [target, source] = parsed.operands;
  const given = [...optionValues(parsed, "-i", "--input"), ...(source === undefined ? [] : [source])];
  const strip = Number(optionValue(parsed, "-p", "--strip") ?? 0);
  // The names in the patch do not count where the command line names the file.
  if (target !== undefined) return null;
  return {
    sources: given.filter((word) => word !== "-"),
    strip: Number.isNaN(strip) ? 0 : strip,
    folder: optionValue(parsed, "-d", "--directory"),
    reverse: has(parsed, "-R", "--reverse"),
  };
}

/** Files that the text of a patch changes, as paths that are relative to where it is applied. */
export function changedBy(text: string, { strip, folder }: Applied): string[] {
  const named = isKnown(text) ? diffTouches(text, strip).map(({ path }) => path) : [];
  const files = [...new Set([...patchedFiles(text, strip), ...named])];
  return folder === null ? files : files.map((file) => `${folder}/${file}`);
}

/** `git apply` and `git am`: the files that the patch names, as far as its text is known. */
export function gitPatch(call: Call): void {
  const applied = appliedBy("git", call.argv.slice(1));
  if (applied === null) return;
  const verb = `git ${call.argv[1]}`;
  if (applied.folder !== null)
    touch(call, "write", applied.folder, `${verb} changes files below it`, { tree: true, keeps: true });
  const parsed = readOptions(call.argv.slice(2), "pC directory exclude include whitespace");
  for (const path of optionValues(parsed, "--include"))
    if (/^[^*?[]+$/.test(path)) touch(call, "write", path, `${verb} changes the file it is limited to`);
  touchPatched(call, applied, verb);
}

/** `patch` writes the file it is given, or those that the patch names. */
export function patch(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), patchOptions);
  if (has(parsed, "--dry-run")) return;
  const output = optionValue(parsed, "-o", "--output");
  if (output !== null) touch(call, "write", output, "patch writes its output");
  const folder = optionValue(parsed, "-d", "--directory");
  if (folder !== null && output === null)
    touch(call, "write", folder, "patch changes files below it", { tree: true, keeps: true });
  const target = parsed.operands[0];
  if (target !== undefined && output === null) touch(call, "write", target, "patch changes its argument");
  const applied = appliedBy("patch", call.argv.slice(1));
  if (applied !== null && output === null) touchPatched(call, applied, "patch");
}

/** How a file with a patch is read; a live hook may look into it. */
export const readsPatch = "the patch in it is applied";

/** How a patch that takes changes back is noted. */
export const takesBack = "takes back what the patch names";

function touchPatched(call: Call, applied: Applied, verb: string): void {
  const { cwd, files } = call.scope;
  const texts = applied.sources.map((file) => files.get(absolute(cwd, file))?.text);
  for (const [at, file] of applied.sources.entries())
    if (texts[at] === undefined) touch(call, "read", file, readsPatch);
  if (applied.sources.length === 0)
    for (const file of call.stdin.files ?? []) touch(call, "read", file, readsPatch);
  const { git } = call.stdin;
  if (applied.sources.length === 0 && git?.kind === "diff")
    bring(call, ".", applied.folder ?? ".", "unpacked", { git });
  const via = applied.reverse ? `${verb} ${takesBack}` : `${verb} changes the files it names`;
  for (const text of applied.sources.length === 0 ? [call.stdin.text] : texts)
    for (const file of changedBy(text ?? "", applied)) touch(call, "write", file, via);
}

/** Files that a unified diff changes. */
function patchedFiles(text: string, strip: number): string[] {
  const files: string[] = [];
  for (const found of text.matchAll(/^(?:\+\+\+|---|rename to|rename from) ([^\t\n]+)/gm)) {
    const name = (found[1] ?? "").trim();
    if (name === "/dev/null") continue;
    const plain = name
      .split("/")
      .slice(found[0].startsWith("rename") ? 0 : strip)
      .join("/");
    files.push(plain);
    if (strip === 0 && /^[ab]\//.test(name)) files.push(name.slice(2));
  }
  return [...new Set(files)];
}
