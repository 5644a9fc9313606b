import type { Effect, Language } from "./languages.ts";
import { lex, type Token } from "./lex.ts";
import { argumentsAt, isComma, type Names, partner, splitAt, textsOf } from "./values.ts";

/** A call found in a program, with what it does. */
export interface CodeCall {
  readonly effect: Effect;
  readonly name: string;
  readonly args: readonly (readonly Token[])[];
  readonly self: readonly Token[];
}

/** A program taken apart: its calls, the texts its names may have, and the shell commands in backticks. */
export interface Scan {
  readonly calls: readonly CodeCall[];
  readonly names: Names;
  readonly tokens: readonly Token[];
  readonly words: ReadonlySet<string>;
  /** What backticks do in its language. */
  readonly quotes: Language["syntax"]["backtick"];
}

/** Finds in program text what touches files or runs commands. Flow is ignored: whatever is assigned counts. */
export function scan(source: string, language: Language, home: string, cwd: string): Scan {
  const tokens = lex(source, language.syntax);
  const names: Names = { texts: new Map(), home, cwd };
  bind(tokens, names);
  const aliases = aliasesOf(tokens);
  const calls: CodeCall[] = [];
  const effects = effectsOf(language);
  tokens.forEach((token, at) => {
    if (token.kind !== "name") return;
    const call = callAt(tokens, at, token.text, aliases, language);
    if (call === null) return;
    for (const name of call.names) {
      for (const effect of effects.get(name) ?? [])
        calls.push({ effect, name, args: call.args, self: call.self });
      if (effects.has(name)) break;
    }
  });
  const words = new Set(
    tokens.filter((token) => token.kind === "name").flatMap((token) => [token.text, last(token.text)]),
  );
  return { calls, names, tokens, words, quotes: language.syntax.backtick };
}

interface Candidate {
  readonly names: readonly string[];
  readonly args: Token[][];
  readonly self: readonly Token[];
}

function callAt(
  tokens: readonly Token[],
  at: number,
  text: string,
  aliases: ReadonlyMap<string, string>,
  language: Language,
): Candidate | null {
  const next = tokens[at + 1];
  const open = next?.kind === "punct" && next.text === "(";
  const startsValue =
    next !== undefined &&
    (next.kind === "string" || next.kind === "name" || (next.kind === "punct" && /^[[$<*]$/.test(next.text)));
  if (!open && !(language.bare && startsValue)) return null;
  const args = open ? argumentsAt(tokens, at + 1).args : bareArguments(tokens, at + 1);
  const plain = text.replace(/^&/, "");
  const cut = plain.lastIndexOf(".");
  const dotted = tokens[at - 1]?.kind === "punct" && tokens[at - 1]?.text === ".";
  if (cut < 0 && !dotted) return { names: [aliases.get(plain) ?? plain, plain], args, self: [] };
  const self = dotted ? chainBefore(tokens, at - 1) : [{ kind: "name" as const, text: plain.slice(0, cut) }];
  const method = `.${last(plain)}`;
  const first = plain.split(".")[0] ?? "";
  const qualified = aliases.has(first) ? `${aliases.get(first)}${plain.slice(first.length)}` : plain;
  const module = dotted ? self.find((token) => token.kind === "string")?.text : undefined;
  const names = [
    qualified,
    qualified.split(".").slice(-2).join("."),
    module === undefined ? "" : `${module}${method}`,
    method,
  ];
  return { names, args, self };
}

/** The expression in front of a dot: `Path('a')`, `x[0]`, `a.b`. */
function chainBefore(tokens: readonly Token[], dot: number): Token[] {
  let at = dot - 1;
  while (at >= 0) {
    const token = tokens[at];
    if (token === undefined) break;
    if (token.kind === "punct" && /^[)\]]$/.test(token.text)) at = openerOf(tokens, at) - 1;
    else if (token.kind === "name" || token.kind === "string") {
      at--;
      if (tokens[at]?.text !== ".") break;
      at--;
    } else break;
  }
  return tokens.slice(at + 1, dot);
}

function openerOf(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    const token = tokens[at];
    if (token?.kind !== "punct") continue;
    if (/^[)\]}]$/.test(token.text)) depth++;
    else if (/^[([{]$/.test(token.text) && --depth === 0) return at;
  }
  return 0;
}

function bareArguments(tokens: readonly Token[], from: number): Token[][] {
  const end = tokens.findIndex(
    (token, at) =>
      at >= from &&
      (token.kind === "line" ||
        (token.kind === "punct" && /^[;}]$/.test(token.text)) ||
        /^(?:if|unless|for|while|or|and|do)$/.test(token.text)),
  );
  return splitAt(tokens.slice(from, end < 0 ? undefined : end), isComma);
}

/** `import a as b`, `const b = require('a')`. */
function aliasesOf(tokens: readonly Token[]): Map<string, string> {
  const aliases = new Map<string, string>();
  tokens.forEach((token, at) => {
    const module = tokens[at + 1];
    if (
      token.text === "from" &&
      token.kind === "name" &&
      tokens[at + 2]?.text === "import" &&
      module !== undefined
    ) {
      for (let next = at + 3; tokens[next]?.kind === "name" || tokens[next]?.text === ","; next++) {
        const name = tokens[next]?.text ?? "";
        if (name !== "," && name !== "as") aliases.set(name, `${module.text}.${name}`);
      }
    }
    if (token.text === "as" && token.kind === "name") {
      const from = tokens[at - 1];
      const to = tokens[at + 1];
      if (from?.kind === "name" && to?.kind === "name") aliases.set(to.text, from.text);
    }
  });
  return aliases;
}

/** Learns what names stand for, from assignments and loops. Twice, so that order does not matter. */
function bind(tokens: readonly Token[], names: Names): void {
  for (let round = 0; round < 2; round++) {
    tokens.forEach((token, at) => {
      if (token.kind === "punct" && /^(?:=|:=|\+=)$/.test(token.text)) assign(tokens, at, names);
      else if (token.kind === "name" && /^(?:in|of)$/.test(token.text)) loop(tokens, at, at + 1, names);
      else if (token.kind === "name" && /^(?:for|foreach)$/.test(token.text)) perlLoop(tokens, at, names);
      else if (token.kind === "name" && /\.(?:forEach|map|each|filter)$/.test(token.text))
        blockParameter(tokens, at, names);
    });
  }
}

function assign(tokens: readonly Token[], at: number, names: Names): void {
  const target = tokens[at - 1];
  if (target?.kind !== "name") return;
  const end = tokens.findIndex(
    (token, index) => index > at && (token.kind === "line" || (token.kind === "punct" && token.text === ";")),
  );
  const texts = textsOf(tokens.slice(at + 1, Math.min(end < 0 ? tokens.length : end, at + 60)), names);
  if (texts.length > 0) learn(names, target.text, texts);
}

function loop(tokens: readonly Token[], at: number, from: number, names: Names): void {
  const end = tokens.findIndex(
    (token, index) =>
      index > at &&
      (token.kind === "line" ||
        (token.kind === "punct" && /^[:{\])]$/.test(token.text) && balanced(tokens, at + 1, index)) ||
        token.text === "do" ||
        token.text === "if"),
  );
  const texts = textsOf(tokens.slice(from, end < 0 ? undefined : end), names);
  if (texts.length === 0) return;
  for (let back = at - 1; back >= 0 && back > at - 8; back--) {
    const token = tokens[back];
    if (token?.kind === "name" && /^(?:for|const|let|var|my)$/.test(token.text)) break;
    if (token?.kind === "name") learn(names, token.text, texts);
    else if (token?.text !== "," && token?.text !== "(" && token?.text !== ")") break;
  }
}

function perlLoop(tokens: readonly Token[], at: number, names: Names): void {
  const open = tokens.findIndex((token, index) => index > at && index < at + 4 && token.text === "(");
  if (open < 0) return;
  const inside = tokens.slice(open + 1, partner(tokens, open));
  const as = inside.findIndex((token) => token.text === "as");
  const texts = textsOf(as < 0 ? inside : inside.slice(0, as), names);
  const variable = as >= 0 ? inside.at(-1) : tokens[open - 1];
  if (texts.length > 0 && variable?.kind === "name")
    learn(names, variable.text.startsWith("$") ? variable.text : "$_", texts);
}

function blockParameter(tokens: readonly Token[], at: number, names: Names): void {
  const name = tokens[at]?.text ?? "";
  const list = names.texts.get(name.slice(0, name.lastIndexOf(".")));
  const parameter = tokens
    .slice(at + 1, at + 5)
    .find((token) => token.kind === "name" && token.text !== "do");
  if (list !== undefined && parameter !== undefined) learn(names, parameter.text, list);
}

function balanced(tokens: readonly Token[], from: number, to: number): boolean {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const text = tokens[at]?.kind === "punct" ? (tokens[at]?.text ?? "") : "";
    if (/^[([{]$/.test(text)) depth++;
    if (/^[)\]}]$/.test(text)) depth--;
  }
  return depth <= 0;
}

function learn(names: Names, name: string, texts: readonly string[]): void {
  const before = names.texts.get(name) ?? [];
  names.texts.set(name, [...new Set([...before, ...texts])].slice(0, 16));
}

const tables = new Map<Language, Map<string, Effect[]>>();

function effectsOf(language: Language): Map<string, Effect[]> {
  const known = tables.get(language);
  if (known !== undefined) return known;
  const table = new Map<string, Effect[]>();
  for (const [source, list] of Object.entries(language.calls)) {
    const effect = effectOf(source);
    for (const name of list.split(" ")) table.set(name, [...(table.get(name) ?? []), effect]);
  }
  tables.set(language, table);
  return table;
}

function effectOf(source: string): Effect {
  const [kind = "", first = "0", second = "1"] = source.split(" ");
  const at = (text: string) => (text === "self" || text === "all" ? text : Number(text));
  switch (kind) {
    case "open":
      return { kind, at: Number(first), mode: Number(second) };
    case "move":
    case "copy":
      return { kind, from: first === "self" ? "self" : Number(first), to: Number(second) };
    case "argv":
      return { kind };
    case "write":
    case "delete":
    case "tree":
    case "shell":
    case "sql":
    case "http":
      return { kind, at: at(first) };
    default:
      return { kind: "eval", at: at(first) };
  }
}

function last(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
