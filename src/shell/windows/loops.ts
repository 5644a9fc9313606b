import { globbed, SOME } from "../marks.ts";
import { copyScope, joinStreams, noText, type Stream, single } from "../model.ts";
import type { Runner, WindowsShell } from "./shell.ts";
import type { WindowsCommand } from "./tokenize.ts";

/** `foreach ($f in 'a', 'b') { … }` and cmd's `for %f in (a b) do …`; null for other commands. */
export function loopOf(shell: WindowsShell, command: WindowsCommand, run: Runner): Stream | null {
  const [first, second] = command.words;
  const name = first?.text.toLowerCase();
  if (name === "foreach" && !command.piped && second?.code != null) {
    const found = /^\s*\$(\w+)\s+in\s+([\s\S]+)$/i.exec(second.code);
    const body = command.words.slice(2).find((word) => word.code !== null)?.code;
    if (found === null || body == null) return null;
    const listed = (found[2] ?? "").trim().replace(/^@\(([\s\S]*)\)$/, "$1");
    return eachOf(linesOf(run.text(shell, listed)), (item) => {
      shell.scope.vars.set(`ps:${(found[1] ?? "").toLowerCase()}`, single(item));
      return run.text(shell, body);
    });
  }
  return name === "for" ? forOf(shell, command, run) : null;
}

/** cmd's `for`: over names, over the folders below one (`/r`), over what a command prints (`/f`). */
function forOf(shell: WindowsShell, command: WindowsCommand, run: Runner): Stream | null {
  const words = command.words.map((word) => word.text);
  const variable = words.find((word) => /^%%?\w$/.test(word));
  const list = command.words.find((word) => word.code !== null)?.code;
  const body = words.slice(words.findIndex((word) => word.toLowerCase() === "do") + 1);
  if (variable === undefined || list == null || body.length === words.length) return null;
  const items = /^\/f$/i.test(words[1] ?? "")
    ? printed(shell, list.trim(), run)
    : walked(words, list.trim().split(/[\s,;]+/));
  return eachOf(items, (item) => {
    const named = new RegExp(`%?%~?[a-z]*${variable.at(-1)}\\b`, "gi");
    const rest = body.map((word) => ({ text: word.replace(named, () => item), quoted: false, code: null }));
    return run.command(shell, { words: rest, into: [], piped: false, called: false });
  });
}

/** `for /r C:\ %f in (*.log)` walks a folder. */
function walked(words: readonly string[], names: readonly string[]): string[] {
  const folder = words[words.findIndex((word) => /^\/r$/i.test(word)) + 1] ?? "";
  const start = words[1]?.toLowerCase() === "/r" && !folder.startsWith("%") ? `${folder}\\` : "";
  return names.map((item) => globbed(start + item));
}

/** `for /f %f in ('dir /b *.log')`: what the command gives; the lines of a file are not known. */
function printed(shell: WindowsShell, list: string, run: Runner): string[] {
  const source = /^(['`])([\s\S]*)\1$/.exec(list)?.[2];
  return source === undefined ? [] : linesOf(run.text({ ...shell, scope: copyScope(shell.scope) }, source));
}

function linesOf({ text }: Stream): string[] {
  return text.split("\n").filter((line) => line !== "");
}

function eachOf(items: readonly string[], body: (item: string) => Stream): Stream {
  let output = noText;
  for (const item of items.length === 0 ? [SOME] : items.slice(0, 16))
    output = joinStreams(output, body(item));
  return output;
}
