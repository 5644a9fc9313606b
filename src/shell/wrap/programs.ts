import { isKnown } from "../marks.ts";
import { type Call, copyScope, noText, type Stream } from "../model.ts";
import { optionValue, optionValues, readOptions } from "../options.ts";
import { recordStep, touch } from "../record.ts";
import { noteOrigin } from "../shells.ts";

/** Options of bubblewrap by how many words follow them. */
const two = /^--(?:(?:ro-|dev-)?bind(?:-try)?|symlink|setenv|file|bind-data|ro-bind-data|chmod|overlay)$/;
const none =
  /^--(?:unshare-\w+|unshare-\w+-try|share-net|die-with-parent|new-session|clearenv|as-pid-1|disable-userns)$/;

/** `bwrap options command`: its folders are those of this machine. */
export function bwrap(call: Call): Stream {
  const words = call.argv.slice(1);
  let at = 0;
  while (at < words.length && words[at]?.startsWith("--")) {
    const option = words[at++] ?? "";
    if (option === "--") break;
    if (two.test(option)) at += 2;
    else if (!none.test(option)) at += 1;
  }
  return call.run.engine.inner(call, words.slice(at));
}

const architecture =
  /^(?:linux(?:32|64)|uname26|i[3-6]86|x86_64|athlon|amd64|arm\w*|aarch64\w*|ppc\w*|powerpc\w*|mips\w*|s390x?|sparc\w*|parisc\w*|ia64|alpha\w*|riscv\w*|loongarch\w*)$/;

/** `setarch x86_64 -R command`; the architecture may be left out. */
export function setarch(call: Call): Stream {
  const words = readOptions(call.argv.slice(1), "p pid", true).operands;
  const command = architecture.test(words[0] ?? "")
    ? readOptions(words.slice(1), "p pid", true).operands
    : words;
  if (command.length > 0) return call.run.engine.inner(call, command);
  recordStep(call, "setarch");
  return noText;
}

/** `python3 -m timeit -s setup statement`: the module runs both. */
export function timeit(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "nrsu number repeat setup unit", true);
  const code = [...optionValues(parsed, "-s", "--setup"), ...parsed.operands].join("\n");
  return call.run.engine.inner(call, ["python3", "-c", code], { stdin: noText });
}

/** AppleScript that runs a shell, `do shell script "…"`, or types into a terminal: `do script "…"`. */
export function osascript(call: Call): Stream {
  recordStep(call, "osascript");
  if (call.argv.length === 1 || call.argv[1] === "-") noteOrigin(call, call.stdin);
  const code = [...call.argv.slice(1), call.stdin.text].join("\n");
  for (const found of code.matchAll(
    /(?:do\s*(?:shell\s*)?script|write\s+text)\s*\(?\s*"((?:\\.|[^"\\])*)"/gi,
  ))
    runText(call, (found[1] ?? "").replace(/\\(.)/gs, "$1"));
  return noText;
}

/** Tcl on standard input: `exec rm …`, `file delete …`. */
export function tcl(call: Call): Stream | null {
  const code = call.stdin.text;
  if (call.argv.length > 1 || code === "") return null;
  recordStep(call, "tclsh");
  for (const found of code.matchAll(/(?:^|[;[{\n])\s*exec\s+([^\n;\]}]+)/g)) runText(call, found[1] ?? "");
  for (const found of code.matchAll(/(?:^|[;[{\n])\s*file\s+(delete|rename|copy)\s+([^\n;\]}]+)/g)) {
    const names = (found[2] ?? "").split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"));
    const deletes = found[1] === "delete";
    for (const name of deletes ? names : names.slice(-1))
      touch(call, deletes ? "delete" : "write", name, `Tcl's file ${found[1]}`, { tree: deletes });
  }
  for (const found of code.matchAll(/\bopen\s+([\w./~-]+)\s+["{]?(?:w|a|r\+)/g))
    touch(call, "write", found[1] ?? "", "Tcl's open writes the file");
  return noText;
}

/** `ansible hosts -m shell -a 'command'`. */
export function ansible(call: Call): Stream | null {
  const parsed = readOptions(
    call.argv.slice(1),
    "amiuclfeBPtMT args module-name inventory user connection limit forks extra-vars",
  );
  const args = optionValue(parsed, "-a", "--args") ?? "";
  const module = optionValue(parsed, "-m", "--module-name") ?? "command";
  recordStep(call, "ansible");
  const scope = copyScope(call.scope, { place: "remote" });
  if (/(?:^|\.)(?:shell|command|raw)$/.test(module))
    return isKnown(args[0] ?? "") ? call.run.engine.text(call, args, scope, noText) : noText;
  const path = /\bpath=(\S+)/.exec(args)?.[1];
  if (/(?:^|\.)file$/.test(module) && /\bstate=absent\b/.test(args) && path !== undefined)
    return call.run.engine.inner(call, ["rm", "-rf", path], { scope });
  return null;
}

function runText(call: Call, text: string): void {
  call.run.engine.text(call, text, copyScope(call.scope), noText);
}
