import { scriptText } from "../fetched.ts";
import { isOpaque } from "../marks.ts";
import { type Call, copyScope, noText } from "../model.ts";
import { optionValues, readOptions } from "../options.ts";
import { homeOf } from "../parameter.ts";
import { touch } from "../record.ts";
import { noteOrigin } from "../shells.ts";

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
