import { globbed, isKnown, SOME, STAR } from "../marks.ts";
import { type Call, copyScope } from "../model.ts";
import { has, optionValue, optionValues, readOptions } from "../options.ts";
import { touch } from "../record.ts";

/** `sed -i`, its `w` command and GNU's `e`, which runs what it is given. */
export function sed(call: Call): void {
  // BSD's `-i ''`: no suffix.
  const words = call.argv
    .slice(1)
    .filter((word, at, all) => word !== "" || !/^-[a-zA-Z]*i$/.test(all[at - 1] ?? ""));
  const parsed = readOptions(words, "efli? line-length expression file");
  const given = optionValues(parsed, "-e", "--expression");
  const scripts = given.length > 0 || has(parsed, "-f", "--file") ? given : parsed.operands.slice(0, 1);
  const files = given.length > 0 || has(parsed, "-f", "--file") ? parsed.operands : parsed.operands.slice(1);
  if (has(parsed, "-i", "--in-place", "-I")) {
    const suffix = optionValue(parsed, "-i", "--in-place") ?? "";
    for (const file of files) {
      touch(call, "write", file, "sed -i edits its arguments");
      if (suffix !== "")
        touch(call, "write", backupName(file, suffix), "sed -i keeps the old file beside it");
    }
  }
  for (const script of scripts) sedScript(call, script);
}

/** `-i.bak` adds to the name; a `*` in the suffix stands for the name. */
export function backupName(file: string, suffix: string): string {
  return suffix.includes("*") ? suffix.replaceAll("*", file) : `${file}${suffix}`;
}

/** `split`: the pieces are named after the prefix. */
export function split(call: Call): void {
  const { operands } = readOptions(
    call.argv.slice(1),
    "abCln suffix-length bytes line-bytes lines number additional-suffix filter",
  );
  touch(call, "write", `${operands[1] ?? "x"}${STAR}`, "split writes pieces named after its prefix");
}

function sedScript(call: Call, script: string): void {
  for (const found of script.matchAll(/(?:^|[;}\n/gp0-9$])\s*w\s+([^\n;}]+)/g)) {
    if (found[1] !== undefined) touch(call, "write", found[1].trim(), "sed's w writes a file");
  }
  for (const found of script.matchAll(/(?:^|[;{}\n$]|(?<![\w/])\d|\/)\s*e\s+([^\n]+)/g)) {
    if (found[1] !== undefined) call.run.engine.text(call, found[1], copyScope(call.scope), call.stdin);
  }
  // `s/…/command/e` runs the result of the substitution.
  const runs = /s([/|#,@!])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1[gpIiMm\d]*e/s.exec(script);
  const result = runs?.[3];
  if (result === undefined) return;
  // The rest of the line follows.
  const text = result.endsWith(" ") ? `${result}${SOME}` : result;
  call.run.engine.text(call, text, copyScope(call.scope), call.stdin);
}

/** `rename expression files`: the files get other names. The new name is guessed for plain text. */
export function rename(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "e");
  if (has(parsed, "-n", "--no-act", "--nono", "--dry-run")) return;
  const given = optionValues(parsed, "-e");
  const [first = "", second = "", ...rest] = [...given, ...parsed.operands];
  if (call.argv[0] === "mmv") {
    touch(call, "move", globbed(first), "mmv gives files new names");
    touch(call, "write", globbed(second.replace(/#\d+/g, "*")), "mmv gives files new names");
  }
  // cmd's `rename old new`; the others take an expression, or a pattern, its replacement and files.
  if (call.argv[0] === "rename" && given.length === 0 && rest.length === 0 && /^[\w.\\/ -]+$/.test(first)) {
    touch(call, "move", first, "rename gives it another name", { tree: true });
    touch(call, "write", second, "rename gives it another name");
    return;
  }
  const perl = /^(?:s|y|tr)(\W)(.*?)\1(.*?)\1/.exec(first);
  const files = perl === null ? rest : [second, ...rest];
  const from = perl?.[2] ?? first;
  const to = perl?.[3] ?? second;
  for (const file of files) {
    touch(call, "move", file, "rename gives its arguments new names");
    const plain = from.replace(/\\(.)/g, "$1").replace(/^\^|\$$/g, "");
    if (isKnown(plain) && plain !== "" && file.includes(plain)) {
      touch(call, "write", file.replace(plain, to), "rename gives its arguments new names");
    } else if (perl !== null && /^\W*$/.test(from))
      touch(call, "write", globbed(to), "rename gives new names");
  }
}
