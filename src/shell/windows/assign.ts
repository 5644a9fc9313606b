import { DECODED, FETCHED, isKnown, SOME } from "../marks.ts";
import { copyScope, noText, type Scope, type Stream, single } from "../model.ts";
import { setVariable } from "./environment.ts";
import { netCalls } from "./net.ts";
import { callOf, namesOf, type Runner, type WindowsShell } from "./shell.ts";
import { isSign, looked, sumOf, type WindowsCommand, type WindowsWord, windowsCommands } from "./tokenize.ts";

type Words = WindowsCommand["words"];

/** `$x = …`: the variable holds the text, the items by line, or what a command gives, which a pipeline hands on. */
export function assignTo(shell: WindowsShell, [target, sign, ...given]: Words, run: Runner): Stream {
  const { vars } = shell.scope;
  const name = nameOf(target);
  if (isSign(given[1])) {
    const output = assignTo(shell, given, run);
    vars.set(`ps:${name}`, vars.get(`ps:${nameOf(given[0])}`) ?? single(SOME));
    return output;
  }
  const called = given[0]?.quoted === false && /^[&.]$/.test(given[0].text);
  const value = called ? given.slice(1) : given;
  // A list keeps its items apart.
  const list = value.length > 1 && value.every((word) => word.quoted);
  let text = sumOf(value) ?? value.map((word) => word.text).join(list ? "\n" : " ");
  let output = noText;
  const inner = { words: value, into: [], piped: false, called };
  const isCommand = called || isProgram(value[0]);
  if (isCommand) {
    output = run.command({ ...shell, scope: copyScope(shell.scope) }, inner);
    text = output.text.trim() === "" ? SOME : output.text;
  }
  const call = callOf(shell, inner);
  const made = isCommand ? output : netCalls(call, looked(call.argv.join(" "), namesOf(shell)));
  for (const word of value) {
    if (word.code !== null && !isCommand)
      text = run.text({ ...shell, scope: copyScope(shell.scope) }, word.code).text || SOME;
  }
  if (made.from === "network") text = FETCHED;
  if (made.from === "decoder") text = DECODED;
  const before = sign?.text === "+=" ? vars.get(`ps:${name}`) : undefined;
  const isList = before?.list === true || list || value[0]?.text.startsWith("@(") === true;
  const [held] = before?.alts ?? [];
  if (held !== undefined && isKnown(held)) text = `${held}${isList ? "\n" : ""}${text}`;
  vars.set(`ps:${name}`, { alts: [text.trim()], list: isList });
  const table = value.length === 1 ? tableOf(shell, value[0], run) : null;
  if (table !== null) vars.set(`ps:@${name}`, { alts: table, list: true });
  if (name.startsWith("env:")) setVariable(shell, name.slice(4), text.trim());
  return output;
}

function nameOf(target: WindowsWord | undefined): string {
  return (target?.text ?? "").replace(/^\$\{?(?:global:|script:)?|\}$/gi, "").toLowerCase();
}

/** `$r = git push`: no text is written without quotes but the name of a command. */
function isProgram(first: WindowsWord | undefined): boolean {
  return (
    first?.quoted === false &&
    first.code === null &&
    first.variable !== true &&
    /^[a-z][\w.\\-]*$/i.test(first.text)
  );
}

/** The words that `@x` stands for, where `$x` is a table: `@{ Path = 'a'; Recurse = $true }`. */
function tableOf(shell: WindowsShell, word: WindowsWord | undefined, run: Runner): string[] | null {
  if (word?.code == null || !/^(?:\[\w+\])?@\{/.test(word.text)) return null;
  return [...windowsCommands(word.code, namesOf(shell))].flatMap(({ words }) => {
    const texts = words.map((one) => (one.code === null ? one.text : itemsOf(shell, one.code, run)));
    const [, key, value = ""] = /^([\w-]+)\s*=\s*(.*)$/s.exec(texts.join(" ")) ?? [];
    if (key === undefined || value === "$false") return [];
    return value === "$true" ? [`-${key}`] : [`-${key}`, value];
  });
}

function itemsOf(shell: WindowsShell, code: string, run: Runner): string {
  const { text } = run.text({ ...shell, scope: copyScope(shell.scope) }, code);
  return text.trim().replaceAll("\n", ",") || SOME;
}

/** The words of a command that a word stands for: `@x` and, for programs, `$x` that holds a list. */
export function splatted({ vars }: Scope, word: WindowsWord | undefined, text: string): string[] {
  if (word === undefined || word.quoted) return [text];
  if (text === "--%") return [];
  if (word.variable === true) return text.split("\n");
  if (!/^@\w+$/.test(text)) return [text];
  const name = text.slice(1).toLowerCase();
  return [...(vars.get(`ps:@${name}`)?.alts ?? vars.get(`ps:${name}`)?.alts[0]?.split("\n") ?? [text])];
}
