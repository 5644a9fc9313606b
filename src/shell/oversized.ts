import { type Action, type Call, noText, type Run, type Scope } from "./model.ts";
import { recordStep, touch } from "./record.ts";

/** UTF-16 units that are looked at in a text that is too large to follow. */
const longest = 512 * 1024;
const mostDocuments = 128;
const mostNamed = 1_500;

/**
 * The same text without the content of its here-documents, where it does nothing but put literal ones into files:
 * what a file holds has no part in what such a text does. Null for every other text.
 */
export function onlyDocuments(text: string): string | null {
  if (text.length > longest || !/^\s{0,64}cat\b/.test(text) || /holdfast/i.test(text)) return null;
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  let script = "";
  let at = 0;
  for (let round = 0; round < mostDocuments; round++) {
    written.lastIndex = at;
    const found = written.exec(ended);
    const word = found?.[2] ?? found?.[4];
    if (found === null || word === undefined) return null;
    // The first line of a document may be its last.
    const end = ended.indexOf(`\n${word}\n`, written.lastIndex - 1);
    if (end < 0) return null;
    script += `${found[0].trim()}\n${word}\n`;
    at = end + word.length + 2;
    if (/^\s*$/.test(ended.slice(at, at + 64)) && at + 64 >= ended.length) return script;
  }
  return null;
}

const written =
  /\s{0,64}cat[ \t]*(?:>{1,2}[ \t]*(?:[\w./~@+-]+|"[^"$`\\\n]+"|'[^'\n]+')[ \t]*<<[ \t]*(["'])([\w.-]+)\1|<<[ \t]*(["'])([\w.-]+)\3[ \t]*>{1,2}[ \t]*(?:[\w./~@+-]+|"[^"$`\\\n]+"|'[^'\n]+'))[ \t]*\n/y;

/**
 * Notes the files that a text too large to follow names outright, outside quotes and here-documents: as targets of
 * redirects, and as words of programs that write or delete what they are told. Such a text is asked about whatever
 * is found here; a protected file among them refuses it.
 */
export function noteNamed(run: Run, scope: Scope, text: string): void {
  const plain = text.length > longest ? null : unquotedIn(text);
  if (plain === null || /["'`]/.test(plain) || elsewhere.test(plain)) return;
  run.weight = 0;
  const call = { run, scope, argv: [], env: new Map(), stdin: noText, wrappers: [] };
  const targets = [
    ...plain.matchAll(/(?<![<>&])>{1,2}[|!]?[ \t]*([\w./@+-]{1,256})(?![\w./@+$*?{[\\~-])/g),
  ].map(([, name = ""]) => name);
  noteAll(call, ">", "write", targets);
  const named = new Map<string, string[]>();
  for (const part of plain.split(/[;&|\n(){}<>]+/)) {
    const [head = "", program = ""] = writing.exec(part.slice(0, 256)) ?? [];
    if (program === "") continue;
    const words = named.get(program) ?? [];
    for (const word of part.slice(head.length).split(/\s+/))
      if (/^[\w./@+][\w./@+-]{0,255}$/.test(word)) words.push(word);
    named.set(program, words);
  }
  for (const [program, words] of named) noteAll(call, program, actions[program] ?? "write", words);
}

/** What moves the folder that names are in, or runs words in another place. */
const elsewhere = /(?:^|[\s;&|({])(?:cd|chdir|pushd|popd|ssh|docker|podman|kubectl|chroot|function)\s/;
const writing = /^\s*(?:\w+=\S*\s+)*(?:sudo\s+)?(rm|unlink|shred|tee|touch|truncate)(?=\s)/;
const actions: Readonly<Record<string, Action>> = { rm: "delete", unlink: "delete", shred: "delete" };

function noteAll(call: Call, program: string, action: Action, words: readonly string[]): void {
  const all = [...new Set(words)];
  if (all.length === 0) return;
  const hidden = all.filter((word) => /(?:^|\/)\./.test(word));
  const chosen = new Set([...hidden, ...all.toReversed()].slice(0, mostNamed));
  recordStep({ ...call, argv: [program, "…"] }, program === ">" ? "redirect" : program);
  for (const word of chosen) touch(call, action, word, `${program} is told its name`);
}

/** The text without here-documents and comments, and with a plain word for what is quoted; null where that cannot be told. */
function unquotedIn(text: string): string | null {
  let shell = "";
  let at = 0;
  let count = 0;
  for (const found of text.matchAll(/(?<!<)<<-?[ \t]*(["']?)\\?([\w.-]+)\1([^\n]*)\n/g)) {
    if (found.index < at) continue;
    const [header, , word = "", rest = ""] = found;
    if (rest.includes("<<") || ++count > mostDocuments) return null;
    shell += text.slice(at, found.index + header.length);
    const close = new RegExp(String.raw`\n\t*${word.replaceAll(".", "\\.")}(?=\n|$)`, "g");
    close.lastIndex = found.index + header.length - 1;
    at = close.test(text) ? close.lastIndex : text.length;
  }
  shell += text.slice(at);
  return shell.replaceAll("\\\n", " ").replace(quotes, (part) => {
    if (part.startsWith("\\")) return "_";
    if (/^\s?#/.test(part)) return "";
    const inner = part.slice(1, -1);
    return inner.length < 256 && /^[\w./@+-]+$/.test(inner) ? inner : "_";
  });
}

const quotes = /\\[\s\S]|'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|(?:^|\s)#[^\n]*/g;
