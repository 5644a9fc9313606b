import { noteClone } from "../fetched.ts";
import { DEEP, globbed, STAR } from "../marks.ts";
import type { Call } from "../model.ts";
import { has, optionValue, type Parsed, readOptions } from "../options.ts";
import { baseOf } from "../place.ts";
import { touch } from "../record.ts";
import { gitPatch } from "./diff.ts";

/** Notes the files that a git command changes. Git's own options are gone already. */
export function gitTool(call: Call): void {
  const [verb = "", ...rest] = call.argv.slice(1);
  if (Object.hasOwn(verbs, verb)) verbs[verb]?.(call, rest);
}

/** How a touch says that changes in the working tree are discarded. */
export const overwrites = "overwrites the files";

type Verb = (call: Call, rest: readonly string[]) => void;

const verbs: Readonly<Record<string, Verb>> = {
  checkout: (call, rest) => {
    const parsed = readOptions(rest, "bB orphan conflict pathspec-from-file");
    if (has(parsed, "-b", "-B", "--orphan", "--detach")) return;
    const named = parsed.beforeDashes < parsed.operands.length;
    for (const path of picked(named ? afterDashes(parsed) : parsed.operands)) {
      touch(call, "write", pathspec(path), `git checkout ${overwrites}`, { tree: true });
    }
  },
  restore: (call, rest) => {
    const parsed = readOptions(rest, "s source conflict pathspec-from-file");
    if (has(parsed, "-S", "--staged") && !has(parsed, "-W", "--worktree")) return;
    for (const path of picked(parsed.operands)) {
      touch(call, "write", pathspec(path), `git restore ${overwrites}`, { tree: true });
    }
  },
  rm: (call, rest) => {
    const parsed = readOptions(rest, "- pathspec-from-file");
    if (has(parsed, "--cached", "-n", "--dry-run")) return;
    for (const path of picked(parsed.operands))
      touch(call, "delete", pathspec(path), "git rm deletes the files", { tree: has(parsed, "-r") });
  },
  mv: (call, rest) => {
    const parsed = readOptions(rest);
    if (has(parsed, "-n", "--dry-run")) return;
    const target = parsed.operands.at(-1) ?? "";
    for (const path of parsed.operands.slice(0, -1)) {
      touch(call, "move", path, "git mv moves the files", { tree: true });
      touch(call, "write", `${target}/${baseOf(path)}`, "git mv moves the files");
    }
    touch(call, "write", target, "git mv moves the files");
  },
  clean: (call, rest) => {
    const parsed = readOptions(rest, "e exclude");
    if (has(parsed, "-n", "--dry-run") || !has(parsed, "-f", "--force")) return;
    // What git knows stays also where a whole tree is named.
    for (const path of picked(parsed.operands).filter((word) => !/^\.{0,2}\/?$/.test(pathspec(word))))
      touch(call, "delete", pathspec(path), "git clean deletes the files", { tree: true });
  },
  stash: (call, rest) => {
    if (rest[0] !== "push" && rest[0] !== "--" && rest[0] !== "save") return;
    const parsed = readOptions(rest, "m message pathspec-from-file");
    for (const path of picked(parsed.operands.slice(rest[0] === "--" ? 0 : 1))) {
      if (rest[0] !== "save")
        touch(call, "write", pathspec(path), "git stash puts the files back", { tree: true });
    }
  },
  apply: gitPatch,
  am: gitPatch,
  archive: (call, rest) => writeOption(call, rest, "o output format prefix", "-o", "--output"),
  diff: (call, rest) => writeOption(call, rest, "- output", "--output"),
  log: (call, rest) => writeOption(call, rest, "n output", "--output"),
  show: (call, rest) => writeOption(call, rest, "- output", "--output"),
  "format-patch": (call, rest) => {
    const folder = optionValue(readOptions(rest, "o output-directory"), "-o", "--output-directory");
    if (folder !== null)
      touch(call, "write", folder, "git format-patch writes into the folder", { tree: true, keeps: true });
  },
  bundle: (call, rest) => {
    const { operands } = readOptions(rest);
    if (operands[0] === "create" && operands[1] !== undefined)
      touch(call, "write", operands[1], "git bundle writes its file");
  },
  config: (call, rest) => {
    const parsed = readOptions(rest, "f file blob type");
    const file = optionValue(parsed, "-f", "--file");
    if (file !== null && parsed.operands.length > 1)
      touch(call, "write", file, "git config writes the file", { keeps: true });
  },
  "merge-file": (call, rest) => {
    const parsed = readOptions(rest, "L");
    const file = parsed.operands[0];
    if (file !== undefined && !has(parsed, "-p", "--stdout"))
      touch(call, "write", file, "git merge-file writes its first file");
  },
  "checkout-index": (call, rest) => {
    for (const path of readOptions(rest, "- prefix stage").operands)
      touch(call, "write", path, "git checkout-index overwrites the files");
  },
  init: (call, rest) => {
    const folder = readOptions(rest, "b initial-branch template separate-git-dir object-format").operands[0];
    if (folder !== undefined)
      touch(call, "write", folder, "git init fills the folder", { keeps: true, tree: true });
  },
  clone: (call, rest) => {
    const { operands } = readOptions(
      rest,
      "bocju branch origin config depth template reference upload-pack filter jobs",
    );
    const folder = operands[1] ?? baseOf(operands[0] ?? "").replace(/\.git$/, "");
    touch(call, "write", folder, "git clone fills the folder", { keeps: true, tree: true });
    if (/^(?:https?|git|ssh):|^[\w.-]+@[\w.-]+:/.test(operands[0] ?? "")) noteClone(call.scope, folder);
  },
  submodule: (call, rest) => {
    const { operands } = readOptions(rest, "b branch name reference depth");
    const folder = operands[2] ?? baseOf(operands[1] ?? "").replace(/\.git$/, "");
    if (operands[0] === "add" && operands[1] !== undefined)
      touch(call, "write", folder, "git submodule fills the folder", { keeps: true, tree: true });
  },
  worktree: (call, rest) => {
    const { operands } = readOptions(rest, "bB reason");
    if (operands[0] === "add" && operands[1] !== undefined) {
      touch(call, "write", operands[1], "git worktree fills the folder", { keeps: true, tree: true });
    }
    if (operands[0] === "move" && operands[2] !== undefined)
      touch(call, "move", operands[1] ?? "", "git worktree moves the folder");
  },
};

function writeOption(call: Call, rest: readonly string[], spec: string, ...names: readonly string[]): void {
  const file = optionValue(readOptions(rest, spec), ...names);
  if (file !== null) touch(call, "write", file, "git writes its output");
}

function afterDashes(parsed: Parsed): readonly string[] {
  return parsed.operands.slice(parsed.beforeDashes);
}

/** Pathspecs without those that leave something out. */
function picked(words: readonly string[]): readonly string[] {
  return words.filter((word) => !leavesOut.test(word));
}

/** `:!.env`, `:^.env`, `:(exclude).env`: what the others pick, but not this. */
export const leavesOut = /^:(?:\/?[!^]|\((?:[a-z,]*,)?exclude(?:,[a-z,]*)?\))\/?(.+)$/;

/** A pathspec as a path: `:/x` and `:(top)x` are relative to the top, globs are git's own. */
export function pathspec(written: string): string {
  const plain = written.replace(/^:(?:\/|\([^)]*\)|[!^]+)/, "");
  if (plain === "") return ".";
  return plain.startsWith("*.") ? `${DEEP}/${STAR}${plain.slice(1)}` : globbed(plain);
}
