import { hasUnknown, isKnown, isOpaque } from "../marks.ts";
import { type Call, copyScope, noText, type Stream, unknownText } from "../model.ts";
import { homeOf } from "../parameter.ts";
import { absolute } from "../place.ts";
import { fact, touch, unseen } from "../record.ts";
import { noteOrigin } from "../shells.ts";
import { backupName } from "../tools/edit.ts";
import { isAway } from "../tools/fetch.ts";
import { awkPipes, awkVariables } from "./awk.ts";
import { type Language, languageOf } from "./languages.ts";
import type { Token } from "./lex.ts";
import { type CodeCall, type Scan, scan } from "./scan.ts";
import { fill, textsOf } from "./values.ts";

/** Looks into `python -c`, `node -e`, a script on standard input and the like. Null for other programs. */
export function runInterpreter(call: Call, name: string): Stream | null {
  const language = languageOf(name);
  if (language === null) return null;
  const given = codeOf(call, language, name);
  if (given.module !== null) return call.run.engine.inner(call, given.module);
  for (const file of given.edited) {
    touch(call, "write", file, `${name} -i edits its arguments`);
    const suffix = call.argv.find((word) => /^-[pnl]*i\S/.test(word))?.replace(/^-[pnl]*i/, "") ?? "";
    if (/[.~*_]/.test(suffix))
      touch(call, "write", backupName(file, suffix), "the old file is kept beside it");
  }
  for (const code of given.codes) runProgram(call, code, language, given.argv);
  return { text: unknownText.text, from: call.stdin.from === "network" ? "network" : "program" };
}

interface Given {
  readonly codes: readonly Stream[];
  /** The words that the program sees, itself first. */
  readonly argv: readonly string[];
  readonly edited: readonly string[];
  readonly module: readonly string[] | null;
}

function codeOf(call: Call, language: Language, name: string): Given {
  const args = call.argv.slice(1);
  const codes: Stream[] = [];
  let inPlace = false;
  let at = name === "deno" && args[0] === "eval" ? 1 : 0;
  if (at === 1) codes.push({ text: args[1] ?? "", from: "text" });
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at++;
      break;
    }
    if (!/^-./.test(arg)) break;
    if (/^-m/.test(arg) && /python|pypy/.test(name)) {
      return {
        codes,
        argv: [],
        edited: [],
        module: [
          arg === "-m" ? (args[at + 1] ?? "") : arg.slice(2),
          ...args.slice(at + (arg === "-m" ? 2 : 1)),
        ],
      };
    }
    inPlace ||= language.inPlace && /^-[a-zA-Z0-9]*i/.test(arg);
    if (name.endsWith("awk") && arg === "-i" && args[at + 1] === "inplace") inPlace = true;
    const attached = attachedCode(arg, language);
    if (attached !== null) codes.push({ text: attached, from: "text" });
    else if (takesCode(arg, language)) codes.push({ text: args[++at] ?? "", from: "text" });
    else if (takesValue(arg, language)) at++;
  }
  const operands = args.slice(at);
  if (codes.length === 0 && name.endsWith("awk")) codes.push({ text: operands.shift() ?? "", from: "text" });
  const argv = [name, ...operands];
  if (codes.length > 0 || inPlace) return { codes, argv, edited: inPlace ? operands : [], module: null };
  // Node counts itself and the script.
  const seen = /^(?:node|nodejs|deno|bun|tsx|ts-node)$/.test(name) ? argv : operands;
  return { codes: scriptOf(call, operands, language), argv: seen, edited: [], module: null };
}

function takesCode(arg: string, language: Language): boolean {
  return language.code.some(
    (option) =>
      arg === option ||
      (option.length === 2 &&
        /^-[a-zA-Z0-9]+$/.test(arg) &&
        arg.endsWith(option[1] ?? " ") &&
        !/^-[IMm]/.test(arg)),
  );
}

/** `-e'code'` written together, and `--eval=code`. */
function attachedCode(arg: string, language: Language): string | null {
  for (const option of language.code) {
    if (option.startsWith("--") && arg.startsWith(`${option}=`)) return arg.slice(option.length + 1);
    if (option.length === 2 && arg.startsWith(option) && arg.length > 2 && /[\s('"]/.test(arg))
      return arg.slice(2);
  }
  return null;
}

function takesValue(arg: string, language: Language): boolean {
  const [letters = "", ...long] = language.values.split(" ");
  if (arg.startsWith("--")) return long.includes(arg.slice(2));
  return arg.length === 2 && letters.includes(arg[1] ?? " ") && letters !== "-";
}

function scriptOf(call: Call, operands: readonly string[], language: Language): Stream[] {
  const file = operands[0];
  if (file === undefined || file === "-" || file === "/dev/stdin") return language.stdin ? [call.stdin] : [];
  if (file === "run" && operands.some((word) => /^https?:\/\//.test(word))) fact(call, "runs-network-code");
  const known = call.scope.files.get(absolute(call.scope.cwd, file));
  if (known !== undefined) return [known];
  touch(call, "read", file, "a script is run");
  unseen(call, `what the script ${file} does`);
  return [];
}

const decoders =
  /^(?:b64decode|b32decode|b16decode|a85decode|fromhex|unhexlify|decompress|atob|decode64|base64_decode|gzinflate|gzuncompress|str_rot13|decode_base64|inflate|inflateSync|gunzipSync|strict_decode64|urlsafe_decode64|decodestring|unpack|from_hex|hex2bin)$/;
const fetchers =
  /\b(?:urlopen|urlretrieve|requests|httpx|fetch|axios|got|file_get_contents|LWP|URI|open_uri|curl_exec|HTTP|http|https|download|readlines_url)\b/;
const evals =
  /^(?:eval|exec|Function|compile|execfile|instance_eval|class_eval|assert|loadstring|load|runInNewContext|runInThisContext)$/;

function runProgram(call: Call, code: Stream, language: Language, argv: readonly string[]): void {
  const name = call.argv[0] ?? "";
  noteOrigin(call, code);
  if (code.text === "" || isOpaque(code.text)) {
    if (code.text !== "") unseen(call, `the program that ${name} is given`);
    return;
  }
  const texts = name.endsWith("awk") ? awkVariables(call.argv) : new Map<string, string[]>();
  const found = scan(code.text, language, { home: homeOf(call.scope), cwd: call.scope.cwd, argv, texts });
  judgeWhole(call, found, code.text);
  for (const token of found.tokens) {
    if (token.kind === "shell") runShellText(call, fill(token, found.names));
  }
  let here = call;
  for (const one of found.calls) {
    const folder = one.effect.kind === "chdir" ? textsOf(one.args[0] ?? [], found.names)[0] : undefined;
    if (folder === undefined) runCall(here, one, found);
    else here = { ...here, scope: copyScope(here.scope, { cwd: absolute(here.scope.cwd, folder) }) };
  }
  if (name.endsWith("awk")) awkPipes(call, found, (text) => runShellText(call, text));
}

function judgeWhole(call: Call, found: Scan, code: string): void {
  const words = [...found.words];
  const runs = words.some((word) => evals.test(word));
  const encoded = words.some((word) => decoders.test(word)) || /['"](?:base64|hex)['"]/.test(code);
  if (runs && encoded) fact(call, "runs-decoded-code");
  const url = /https?:\/\//.test(code);
  if (runs && url && fetchers.test(code)) fact(call, "runs-network-code");
  const socket =
    /\bsocket\b|TCPSocket|fsockopen|net\.(?:connect|createConnection|Socket)|IO::Socket|createConnection/.test(
      code,
    );
  if (socket && /\/bin\/(?:ba|z|da)?sh|cmd\.exe|pty\.spawn|dup2/.test(code)) fact(call, "network-shell");
  const deletes = /\bmethod['"]?\s*[:=]>?\s*['"]DELETE['"]|\.request\(\s*['"]DELETE|HTTP::Delete/i.test(code);
  if (deletes && found.tokens.some(isAwayUrl)) fact(call, "http-delete");
}

function isAwayUrl(token: Token): boolean {
  return token.kind === "string" && /^https?:\/\//.test(token.text) && isAway(token.text);
}

function runCall(call: Call, one: CodeCall, found: Scan): void {
  const { effect, name } = one;
  const texts = (at: number | "self" | "all") =>
    at === "self"
      ? textsOf(one.self, found.names)
      : at === "all"
        ? one.args.flatMap((arg) => textsOf(arg, found.names))
        : textsOf(one.args[at] ?? [], found.names);
  const via = `${name.replace(/^\./, "")}() in the program`;
  switch (effect.kind) {
    case "write":
      for (const path of texts(effect.at))
        touch(call, "write", path, via, { keeps: /append|touch|mkdir|makedirs/i.test(name) });
      return;
    case "delete":
    case "tree":
      for (const path of texts(effect.at)) touch(call, "delete", path, via, { tree: effect.kind === "tree" });
      return;
    case "move":
      for (const path of texts(effect.from)) touch(call, "move", path, via, { tree: true });
      for (const path of texts(effect.to)) touch(call, "write", path, via);
      return;
    case "copy":
      for (const path of texts(effect.to)) touch(call, "write", path, via);
      return;
    case "open":
      openFile(call, one, texts, via);
      return;
    case "shell":
      if (
        found.quotes === "text" &&
        /^\.?exec$/.test(name) &&
        !/child_process|execa|shelljs|zx|\bcp\b/.test([...found.words].join(" ") + strings(found))
      )
        return;
      for (const text of texts(effect.at)) runShellText(call, text);
      return;
    case "argv":
      runArguments(call, one, found);
      return;
    case "sql":
      for (const text of texts(effect.at))
        if (/\s/.test(text) && isKnown(text))
          call.run.engine.inner(call, ["psql", "-c", text], { stdin: noText });
      return;
    case "http":
      for (const url of texts(effect.at)) if (/^https?:/.test(url) && isAway(url)) fact(call, "http-delete");
      return;
    case "edit":
      if (one.args.some((arg) => arg[0]?.text === "inplace"))
        for (const path of texts(effect.at)) touch(call, "write", path, via);
      return;
    case "chdir":
    case "eval":
      return;
  }
}

function strings(found: Scan): string {
  return found.tokens
    .filter((token) => token.kind === "string")
    .map((token) => token.text)
    .join(" ");
}

type Texts = (at: number | "self") => string[];

function openFile(call: Call, one: CodeCall, texts: Texts, via: string): void {
  const effect = one.effect;
  if (effect.kind !== "open") return;
  if (effect.at === effect.mode) {
    openPerl(call, texts, via);
    return;
  }
  const mode = texts(effect.mode).concat(
    one.args
      .filter((arg) => arg[0]?.text === "mode")
      .flatMap((arg) => arg.filter((token) => token.kind === "string").map((token) => token.text)),
  );
  const constant = (one.args[effect.mode] ?? []).some((token) => /WRONLY|RDWR|CREAT/.test(token.text));
  if (!constant && !mode.some((text) => /^[^r]*[wax+]|^r.?\+/.test(text))) return;
  const keeps = mode.length > 0 && mode.every((text) => text.includes("a"));
  for (const path of texts(effect.at)) touch(call, "write", path, via, { keeps });
}

/** Perl's `open(F, ">file")`, `open(F, ">", "file")` and `open(F, "| command")`. */
function openPerl(call: Call, texts: (at: number) => string[], via: string): void {
  for (const text of texts(1)) {
    const pipe = /^\s*\|\s*(.*)$|^(.*)\|\s*$/s.exec(text);
    if (pipe !== null && text.length > 2) runShellText(call, pipe[1] ?? pipe[2] ?? "");
    const mode = /^\s*\+?(>>?|<)\s*(.*)$/s.exec(text);
    if (mode === null || (mode[1] === "<" && !text.includes("+"))) continue;
    const paths = (mode[2] ?? "").startsWith(":") || mode[2] === "" ? texts(2) : [mode[2] ?? ""];
    for (const path of paths) touch(call, "write", path, via, { keeps: mode[1] === ">>" });
  }
}

function runArguments(call: Call, one: CodeCall, found: Scan): void {
  const shelled = one.args.filter((arg) => arg.some((token) => token.kind === "shell"));
  if (shelled.length > 0) return;
  const words = one.args
    .filter(
      (arg) =>
        !(arg[0]?.kind === "punct" && arg[0].text === "{") &&
        !(arg[0]?.kind === "name" && arg[1]?.text === "="),
    )
    .map((arg) => listOf(arg, found));
  const argv = words.flat();
  if (argv.length === 0) return;
  if (argv.length === 1) runShellText(call, argv[0] ?? "");
  else call.run.engine.inner(call, argv, { stdin: noText });
}

function listOf(arg: readonly Token[], found: Scan): string[] {
  return textsOf(arg, found.names);
}

function runShellText(call: Call, text: string): void {
  if (text === "" || hasUnknown(text[0] ?? "")) return;
  call.run.engine.text(call, text, copyScope(call.scope), noText);
}
