import { bind } from "./bind.ts";
import type { Effect, Language } from "./languages.ts";
import { lex, type Token } from "./lex.ts";
import { argumentsAt, chainBefore, isComma, type Names, partner, splitAt } from "./values.ts";

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
export function scan(
  source: string,
  language: Language,
  given: Pick<Names, "home" | "cwd" | "argv" | "texts">,
): Scan {
  const tokens = lex(source, language.syntax);
  const names: Names = { ...given, texts: new Map(given.texts) };
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
  const own = [qualified, qualified.split(".").slice(-2).join(".")];
  const ofModule = module === undefined ? "" : `${module}${method}`;
  const names = dotted ? [ofModule, method, ...own] : [...own, ofModule, method];
  return { names, args, self };
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
    if (token.text === "{" && /^(?:const|let|var)$/.test(tokens[at - 1]?.text ?? ""))
      renamed(tokens, at, aliases);
    if (token.text === "as" && token.kind === "name") {
      const from = tokens[at - 1];
      const to = tokens[at + 1];
      if (from?.kind === "name" && to?.kind === "name") aliases.set(to.text, from.text);
    }
  });
  return aliases;
}

/** `const {writeFileSync: w} = require("fs")`. */
function renamed(tokens: readonly Token[], open: number, aliases: Map<string, string>): void {
  for (let at = open; at < partner(tokens, open) && at < open + 60; at++) {
    const from = tokens[at - 1];
    const to = tokens[at + 1];
    if (tokens[at]?.text === ":" && from?.kind === "name" && to?.kind === "name")
      aliases.set(to.text, from.text);
  }
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
      return { kind, at: first === "self" ? first : Number(first), mode: Number(second) };
    case "chdir":
    case "edit":
      return { kind, at: Number(first) };
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
