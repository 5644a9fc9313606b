import { scriptText } from "./fetched.ts";
import { DECODED, FETCHED, isOpaque } from "./marks.ts";
import { type Call, copyScope, noText, type Scope, type Stream, single } from "./model.ts";
import { fact, touch, unseen } from "./record.ts";

const shells = new Set(
  "sh bash zsh dash ksh ash mksh fish rbash yash csh tcsh elvish nu xonsh posh osh".split(" "),
);

export function isShell(name: string): boolean {
  return shells.has(name);
}

/** Runs `sh -c text`, `sh file` or a shell that reads its commands from standard input. */
export function runShell(call: Call): Stream {
  const { argv } = call;
  const start = afterOptions(argv);
  const word = argv[start.at];
  if (start.check) return noText;
  const early = argv[0] === "fish" ? argv[argv.indexOf("-C") + 1 || argv.length] : undefined;
  if (early !== undefined) runCode(call, { text: early, from: "text" }, childScope(call, []));
  const first = argv.findIndex((one) => /^--(?:rcfile|init-file)$/.test(one));
  if (first > 0) runScriptFile(call, argv[first + 1] ?? "", first + 1);
  if (start.text) {
    if (word === undefined) return noText;
    const inner = childScope(call, argv.slice(start.at + 2));
    const own = argv[start.at + 1];
    if (own !== undefined) inner.vars.set("0", single(own));
    return runCode(call, { text: word, from: "text" }, inner);
  }
  if (word !== undefined && !start.stdin && word !== "/dev/stdin") return runScriptFile(call, word, start.at);
  const params = start.stdin ? argv.slice(start.at) : [];
  return runCode(call, call.stdin, childScope(call, params));
}

/** A new shell also knows what was put in front of it: `A=b sh -c '…'`. */
function childScope(call: Call, params: readonly string[]): Scope {
  const scope = copyScope(call.scope, { params });
  for (const [name, value] of call.env) {
    if (!name.includes(" ")) scope.vars.set(name, single(value));
    else if (name.startsWith("unset ")) scope.vars.delete(name.slice(6));
  }
  return scope;
}

/** Runs a script file: its text where this command line wrote it, else it stays unseen. */
export function runScriptFile(call: Call, word: string, at: number, scope = copyScope(call.scope)): Stream {
  touch(call, "read", word, "a script is run");
  const file = scriptText(call.scope, word);
  if (file === undefined) {
    unseen(call, `what the script ${word} does`);
    return { text: "\uE001", from: "program" };
  }
  scope.params = call.argv.slice(at + 1);
  return runCode(call, file, scope);
}

/** Runs text as shell code, wherever it came from. */
export function runCode(call: Call, code: Stream, scope: Scope): Stream {
  noteOrigin(call, code);
  if (code.text === "" || isOpaque(code.text)) {
    if (code.text !== "") unseen(call, "the text that a shell is given to run");
    return { text: "\uE001", from: "program" };
  }
  return call.run.engine.text(call, code.text, scope, call.stdin.text === code.text ? noText : call.stdin);
}

/** Notes code that came from the network or out of a decoder. */
export function noteOrigin(call: Call, code: Stream): void {
  const { text, from } = code;
  if (from === "network" || text.includes(FETCHED)) fact(call, "runs-network-code");
  const decoded = from === "decoder" || text.includes(DECODED);
  if (decoded || [...call.run.decoded].some((part) => text.includes(part))) fact(call, "runs-decoded-code");
}

interface Start {
  /** Index of the first word that is not an option. */
  readonly at: number;
  /** `-c`: that word is the text to run. */
  readonly text: boolean;
  /** `-s`: commands come from standard input whatever follows. */
  readonly stdin: boolean;
  /** `-n`: nothing runs, only the syntax is checked. */
  readonly check: boolean;
}

function afterOptions(argv: readonly string[]): Start {
  let text = false;
  let stdin = false;
  let check = false;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word === "--" || word === "-") {
      at++;
      break;
    }
    if (word[0] !== "-" && word[0] !== "+") break;
    if (word === "--rcfile" || word === "--init-file") at++;
    if (word.startsWith("--command")) {
      text = true;
      continue;
    }
    if (word.startsWith("--")) continue;
    text ||= word[0] === "-" && word.includes("c");
    stdin ||= word[0] === "-" && word.includes("s");
    check ||= /^-[a-z]*n/.test(word);
    if (/[oO]$/.test(word)) at++;
  }
  return { at, text, stdin, check };
}
