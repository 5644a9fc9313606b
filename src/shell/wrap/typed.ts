import { scriptText } from "../fetched.ts";
import { type Call, copyScope, noText, type Stream, textStream } from "../model.ts";
import { has, optionValue, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { recordStep } from "../record.ts";
import { noteOrigin } from "../shells.ts";
import { inside } from "./inside.ts";

// Programs that are handed commands as text: typed into a terminal, for later, or in a script of their own.

const keys = /^(?:Enter|C-m|KPEnter|Space|Tab|Escape|C-[a-z])$/;

/** What `tmux` types into a terminal or runs in one. */
export function tmux(call: Call): Stream {
  const words = call.argv.slice(1);
  const verb = words.findIndex((word) => /^[a-z]/.test(word) && !/^-/.test(word));
  const rest = readOptions(words.slice(verb + 1), "tcnsexyF", true).operands;
  recordStep(call, "tmux");
  if (/^(?:send|send-keys)$/.test(words[verb] ?? "")) {
    inside(call, "tmux", rest.map((word) => (keys.test(word) ? "\n" : word)).join(" "), call.scope);
  } else if (
    /^(?:new|new-session|neww|new-window|split-window|splitw|run|run-shell|respawn-\w+|popup|display-popup|if-shell|pipe-pane|set-hook|bind|bind-key)$/.test(
      words[verb] ?? "",
    )
  ) {
    // The first word of these is a condition, a hook or a key.
    const later = /^(?:if-shell|set-hook|bind|bind-key)$/.test(words[verb] ?? "");
    inside(call, "tmux", later ? rest.slice(1).join(" ; ") : rest.join(" "), call.scope);
  }
  return noText;
}

/** The same for `screen`. */
export function screen(call: Call): Stream {
  const words = call.argv.slice(1);
  const typed = words.indexOf("stuff");
  const text = typed >= 0 ? (words[typed + 1] ?? "").replace(/\\n|\\r|\^M/g, "\n") : null;
  recordStep(call, "screen");
  if (text !== null) return inside(call, "screen", text, call.scope);
  const rest = readOptions(words, "ScehpstTX", true).operands;
  return rest.length === 0 ? noText : call.run.engine.inner(call, rest);
}

/** `at` and `batch` run what comes on standard input or in a file, later. */
export function fromStdin(call: Call): Stream {
  recordStep(call, call.argv[0] ?? "at");
  const file = optionValue(readOptions(call.argv.slice(1), "fqt"), "-f");
  const code = file === null || /^(?:-|\/dev\/stdin)$/.test(file) ? call.stdin : scriptText(call.scope, file);
  if (code === undefined || code.text === "") return noText;
  noteOrigin(call, code);
  return inside(call, "at", code.text, call.scope);
}

/** `expect -c 'spawn rm …'`, or its script on standard input. */
export function expect(call: Call): Stream {
  const code = optionValue(readOptions(call.argv.slice(1), "cf"), "-c") ?? call.stdin.text;
  recordStep(call, "expect");
  for (const found of code.matchAll(
    /(?:^|[;\n[{])\s*(?:spawn|exec|system|send)\s+(?:--?\w*\s+)*([^;\n\]}]+)/g,
  )) {
    inside(call, "expect", (found[1] ?? "").replace(/^"|\\r|\\n|"$/g, ""), call.scope);
  }
  return noText;
}

/** `make -f -`: recipes arrive on standard input. */
export function make(call: Call): Stream | null {
  const parsed = readOptions(call.argv.slice(1), "CfIjloW file makefile directory eval");
  const folder = optionValue(parsed, "-C", "--directory");
  const scope =
    folder === null ? call.scope : copyScope(call.scope, { cwd: absolute(call.scope.cwd, folder) });
  const file = optionValue(parsed, "-f", "--file", "--makefile");
  const given = optionValue(parsed, "--eval");
  const code =
    given !== null
      ? textStream(given)
      : file === "-" || file === "/dev/stdin"
        ? call.stdin
        : call.scope.files.get(absolute(call.scope.cwd, file ?? "Makefile"));
  if (code === undefined || has(parsed, "-n", "--dry-run", "--just-print")) return null;
  recordStep(call, "make");
  noteOrigin(call, code);
  const source = code.text;
  const recipes = [...source.matchAll(/^\t[@+-]*(.+)$|^[^\t\n#:=]+:[^=\n;]*;(.+)$|\$\(shell ([^)]+)\)/gm)];
  const text = recipes
    .map((found) => (found[1] ?? found[2] ?? found[3] ?? "").replaceAll("$$", "$"))
    .join("\n");
  return inside(call, "make", text, scope);
}
