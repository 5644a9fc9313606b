import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { problem } from "../../core/problem.ts";
import { loadManifest } from "../../manifest/load.ts";
import { manifestNames } from "../../manifest/snapshot.ts";
import { writeAtomic } from "../../runtime/files.ts";
import type { Check } from "../check.ts";

/** The manifest parses, and every key and value in it means something. */
export const check: Check = {
  id: "manifest",
  words: "the manifest can be read, and every key in it is known",
  find({ manifest: { file, problems } }) {
    if (file === null) return [];
    const both = manifestNames.map((name) => join(dirname(file), name)).filter((path) => existsSync(path));
    if (both.length < 2) return problems;
    const ignored = both.find((path) => path !== file) ?? "";
    const message = "a second manifest beside holdfast.yaml is never read";
    const hint = `Merge it into ${file}, then remove it.`;
    return [...problems, problem("HF318", message, { severity: "warning", hint, where: { file: ignored } })];
  },
  /** Renames a misspelt key to the only one it can mean, when the right one is not there as well. */
  fix(_exam, found) {
    const { file, line, column } = found.where;
    const names = /^unknown key "([^"]+)".*did you mean "([^"]+)"\?$/.exec(found.message);
    if (found.code !== "HF310" || file === undefined || line === undefined || column === undefined)
      return null;
    const [, wrong, right] = names ?? [];
    if (wrong === undefined || right === undefined) return null;
    const before = readFileSync(file, "utf8");
    const lines = before.split("\n");
    const text = lines[line - 1] ?? "";
    const start = column - 1 + (line === 1 && before.startsWith("\uFEFF") ? 1 : 0);
    if (!text.startsWith(wrong, start)) return null;
    lines[line - 1] = text.slice(0, start) + right + text.slice(start + wrong.length);
    const after = lines.join("\n");
    if (problemCount(after, file) >= problemCount(before, file)) return null;
    writeAtomic(file, after);
    return `renamed "${wrong}" to "${right}"`;
  },
};

function problemCount(text: string, file: string): number {
  return loadManifest(new TextEncoder().encode(text), file).problems.length;
}
