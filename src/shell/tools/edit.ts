import { scriptText } from "../fetched.ts";
import { globbed, isKnown, isOpaque, SOME, STAR } from "../marks.ts";
import { type Call, copyScope, noText } from "../model.ts";
import { has, optionValue, optionValues, readOptions } from "../options.ts";
import { homeOf } from "../parameter.ts";
import { touch } from "../record.ts";
import { noteOrigin } from "../shells.ts";

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

/** `ed file` with commands on standard input. */
export function edInput(call: Call): void {
  const { operands } = readOptions(call.argv.slice(1), "p");
  for (const found of call.stdin.text.matchAll(/^\s*(?:[\d,.$%]*)!\s*(.+)$/gm))
    call.run.engine.text(call, found[1] ?? "", copyScope(call.scope), noText);
  if (isOpaque(call.stdin.text))
    for (const file of operands) touch(call, "write", file, "ed may write its file");
  const writes = /^\s*(?:\d*,?[\d$%]*)?(?:w|wq|W)\b(?:\s+(\S+))?/m.exec(call.stdin.text);
  if (writes === null) return;
  for (const file of operands) touch(call, "write", file, "ed writes its file");
  if (writes[1] !== undefined) touch(call, "write", writes[1], "ed writes a file");
}

/** `vim -c`, `ex` and `emacs --batch`: an editor driven by commands. */
export function editor(call: Call): void {
  // Emacs also takes its long options with one dash.
  const words = call.argv
    .slice(1)
    .map((word) => word.replace(/^-(?=(?:batch|eval|execute|load|script|funcall)$)/, "--"));
  const emacs = call.argv[0] === "emacs";
  const parsed = readOptions(words, `cSuUTwW${emacs ? "fl" : ""} cmd eval execute load script funcall`);
  const commands = [
    ...optionValues(parsed, "-c", "--cmd", "--eval", "--execute", "--funcall"),
    ...(emacs ? optionValues(parsed, "-f") : []),
    ...parsed.operands.filter((word) => word.startsWith("+")).map((word) => word.slice(1)),
    ...(/^(?:ex|vim?|nvim)$/.test(call.argv[0] ?? "") ? [call.stdin.text] : []),
  ];
  const files = parsed.operands.filter((word) => !word.startsWith("+"));
  for (const command of commands) editorCommand(call, command, files);
  for (const script of optionValues(parsed, "-S", "-u", "-l", "--load", "--script")) {
    const text = scriptText(call.scope, script);
    if (text !== undefined) noteOrigin(call, text);
  }
}

/** Vim's own ways to a shell and to files: `:call system("…")`, `:call delete("x")`, `:lua …`, `:py3 …`. */
function vimFunctions(call: Call, command: string): void {
  for (const found of command.matchAll(
    /\b(?:system(?:list)?|term_start|job_start)\(\s*(?:"([^"]*)"|'([^']*)')/g,
  ))
    call.run.engine.text(call, found[1] ?? found[2] ?? "", copyScope(call.scope), noText);
  for (const found of command.matchAll(/\bdelete\(\s*(?:"([^"]*)"|'([^']*)')(\s*,\s*["']rf)?/g))
    touch(call, "delete", found[1] ?? found[2] ?? "", "the editor deletes it", {
      tree: found[3] !== undefined,
    });
  const code = /^\s*:?\s*(lua|py(?:thon)?[3x]?|ruby|perl)\s+(.*)$/s.exec(command);
  const [program = "lua", option = "-e"] = editorLanguages[code?.[1]?.slice(0, 2) ?? ""] ?? [];
  if (code !== null) call.run.engine.inner(call, [program, option, code[2] ?? ""], { stdin: noText });
}

const editorLanguages: Readonly<Record<string, readonly string[]>> = {
  py: ["python3", "-c"],
  ru: ["ruby", "-e"],
  pe: ["perl", "-e"],
};

function editorCommand(call: Call, command: string, files: readonly string[]): void {
  emacsCommand(call, command);
  if (/^(?:ex|view|vim?|nvim)$/.test(call.argv[0] ?? "")) vimFunctions(call, command);
  for (const one of command.split(/[|\n]/)) {
    const shell =
      /^\s*:?\s*(?:silent!?\s+)?(?:r(?:ead)?\s*|te(?:rm(?:inal)?)?\s*|w(?:rite)?\s+)?(?:[%\d,$.]*)!\s*(.+)$/.exec(
        one,
      );
    if (shell?.[1] !== undefined) call.run.engine.text(call, shell[1], copyScope(call.scope), call.stdin);
    const writes =
      /(?:^|[\s:%,$\d])(?:w|wq|x|wa|wqa|xa|up|update|write|saveas|sav)!?(?:\s+(?:>>\s*)?([^\s!][^\s]*))?\s*$/.exec(
        one,
      );
    if (writes === null && !/save-buffer|write-file/.test(one)) continue;
    if (writes?.[1] !== undefined) touch(call, "write", writes[1], "the editor writes a file");
    else for (const file of files) touch(call, "write", file, "the editor saves its file");
  }
}

/** Emacs Lisp that runs a command or removes files. */
function emacsCommand(call: Call, command: string): void {
  if (!command.trimStart().startsWith("(")) return;
  for (const found of command.matchAll(
    /\((?:write-region\b[^)]*?|write-file|append-to-file\b[^)]*?)\s"([^"]*)"\)/g,
  ))
    touch(call, "write", found[1] ?? "", "the editor writes a file");
  const text = command.replaceAll('"~', () => `"${homeOf(call.scope)}`);
  call.run.engine.inner(call, ["guile", "-c", text], { stdin: noText });
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
