import { aliasesOf } from "./aliases.ts";
import { bind } from "./bind.ts";
import { argumentsAt, bareArguments, chainBefore, openerOf } from "./brackets.ts";
import type { Effect, Language } from "./languages.ts";
import { lex, type Token } from "./lex.ts";
import type { Names } from "./values.ts";

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
  given: Omit<Names, "joins" | "rounds" | "lists">,
): Scan {
  const read = (language.rewrites ?? []).reduce((text, [from, to]) => text.replace(from, to), source);
  const tokens =
    language.spaced === true ? separated(lex(read, language.syntax)) : lex(read, language.syntax);
  const { sigils } = language.syntax;
  const joins = sigils.startsWith("$") && sigils !== "$@";
  const names: Names = { ...given, texts: new Map(given.texts), rounds: new Map(), lists: new Map(), joins };
  bind(tokens, names);
  const aliases = aliasesOf(tokens);
  const calls: CodeCall[] = [];
  const effects = effectsOf(language);
  tokens.forEach((_, at) => {
    const call = candidateAt(tokens, at, aliases, language);
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

/** Arguments that stand side by side, with commas between them. */
function separated(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token, at) => {
    const starts = token.kind === "string" || (token.kind === "punct" && /^[[('{]$/.test(token.text));
    const before = tokens[at - 1];
    const follows =
      before?.kind === "string" ||
      (token.kind === "string" && before?.kind === "name" && /^(?:nil|t)$/.test(before.text));
    return starts && follows ? [{ kind: "punct", text: "," }, token] : [token];
  });
}

interface Candidate {
  readonly names: readonly string[];
  readonly args: Token[][];
  readonly self: readonly Token[];
}

function candidateAt(
  tokens: readonly Token[],
  at: number,
  aliases: ReadonlyMap<string, string>,
  language: Language,
): Candidate | null {
  const token = tokens[at];
  if (token?.kind === "string") return computedAt(tokens, at) ?? callbackAt(tokens, at);
  if (token?.kind !== "name") return null;
  return callAt(tokens, at, token.text, aliases, language) ?? callbackAt(tokens, at);
}

/** `os["system"](…)` and `getattr(os, "system")(…)`: the name is a text. */
function computedAt(tokens: readonly Token[], at: number): Candidate | null {
  const close = tokens[at + 1]?.text;
  const open = close === "]" ? "[" : ",";
  let first = at;
  let name = tokens[at]?.text ?? "";
  // The name may be put together.
  while (tokens[first - 1]?.text === "+" && tokens[first - 2]?.kind === "string") {
    first -= 2;
    name = (tokens[first]?.text ?? "") + name;
  }
  if ((close !== "]" && close !== ")") || tokens[first - 1]?.text !== open || tokens[at + 2]?.text !== "(")
    return null;
  const start = close === "]" ? first - 1 : openerOf(tokens, at + 1);
  if (close === ")" && tokens[start - 1]?.text !== "getattr") return null;
  const self = close === "]" ? chainBefore(tokens, start) : tokens.slice(start + 1, first - 1);
  const module = self.findLast((token) => token.kind === "name" || token.kind === "string")?.text ?? "";
  return { names: [`${module}.${name}`, `.${name}`, name], args: argumentsAt(tokens, at + 2).args, self };
}

const feeds = /(?:^|\.)(?:map|forEach|each|array_map|array_walk|call_user_func|filter|starmap)$/;

/** `map(os.remove, files)`, `files.forEach(unlinkSync)`, `array_map("unlink", $files)`. */
function callbackAt(tokens: readonly Token[], at: number): Candidate | null {
  const feeder = tokens[at - 2];
  const after = tokens[at + 1]?.text;
  if (tokens[at - 1]?.text !== "(" || feeder?.kind !== "name" || !feeds.test(feeder.text)) return null;
  if (after !== ")" && after !== ",") return null;
  const given = argumentsAt(tokens, at - 1).args[1];
  const cut = feeder.text.lastIndexOf(".");
  const list =
    tokens[at - 3]?.text === "."
      ? chainBefore(tokens, at - 3)
      : [{ kind: "name" as const, text: feeder.text.slice(0, Math.max(0, cut)) }];
  const name = tokens[at]?.text ?? "";
  const names = [name, name.split(".").slice(-2).join("."), `.${last(name)}`];
  return { names, args: [[...(given ?? list)]], self: [] };
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
    (next.kind === "string" ||
      next.kind === "name" ||
      next.kind === "number" ||
      (next.kind === "punct" && /^[[$<*]$/.test(next.text)));
  const alone = language.bare && (text.includes(".") || tokens[at - 1]?.text === ".");
  if (!open && !alone && !(language.bare && startsValue)) return null;
  const args = open ? argumentsAt(tokens, at + 1).args : bareArguments(tokens, at + 1);
  // Perl's `unlink for @files`.
  if (!open && args.flat().length === 0 && /^(?:for|foreach)$/.test(next?.text ?? ""))
    args.splice(0, 1, bareArguments(tokens, at + 2).flat());
  // Ruby's `send(:system, "…")`.
  const sent = /(?:^|\.)(?:public_send|__send__|send)$/.test(text) ? args.shift()?.at(-1)?.text : undefined;
  const plain = sent ?? text.replace(/^&/, "");
  const cut = plain.lastIndexOf(".");
  const dotted = tokens[at - 1]?.kind === "punct" && /^(?:\.|->)$/.test(tokens[at - 1]?.text ?? "");
  if (cut < 0 && !dotted) {
    const starred = aliases.get("*");
    const alias = aliases.get(plain) ?? plain;
    const names = alias.includes(".") ? [alias, `.${last(alias)}`, plain] : [alias, plain];
    return { names: starred === undefined ? names : [...names, `${starred}.${plain}`], args, self: [] };
  }
  const self = dotted ? chainBefore(tokens, at - 1) : [{ kind: "name" as const, text: plain.slice(0, cut) }];
  // `method(:system).call("…")`.
  if (plain === "call" && self[0]?.text === "method")
    return { names: [self.findLast((token) => token.kind === "name")?.text ?? ""], args, self: [] };
  const method = `.${last(plain)}`;
  const first = plain.split(".")[0] ?? "";
  const qualified = aliases.has(first) ? `${aliases.get(first)}${plain.slice(first.length)}` : plain;
  const module = dotted ? self.find((token) => token.kind === "string")?.text : undefined;
  const own = [qualified, qualified.split(".").slice(-2).join(".")];
  const ofModule = module === undefined ? "" : `${module}${method}`;
  const names = dotted ? [ofModule, method, ...own] : [...own, ofModule, method];
  return { names, args, self };
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
    case "link":
    case "copy":
      return {
        kind,
        from: first === "self" ? "self" : Number(first),
        to: second === "self" ? "self" : Number(second),
      };
    case "as":
      return { kind, command: source.slice(3) };
    case "argv":
    case "mode":
    case "kill":
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
