import { DEEP, FEW, globbed, HOLE, SOME } from "../marks.ts";
import { argumentsAt, isComma, partner, splitAt, unwrapList } from "./brackets.ts";
import { joinAll, joined, mostTexts, summed } from "./combine.ts";
import { builtTexts, formattedTexts, joinedText } from "./format.ts";
import { filled, type Token } from "./lex.ts";

/** What some names stand for in one pass of a loop, or in one call of a function. */
export type Round = ReadonlyMap<string, readonly string[]>;

/** What a list is made of; for a map, pairs of its keys and values. */
export interface Listed {
  readonly items: readonly (readonly Token[])[];
  readonly keys: boolean;
}

/** What names stand for in a program: every text that is ever assigned to them. */
export interface Names {
  readonly texts: Map<string, readonly string[]>;
  /** The same one after the other, for names that loops and calls give several. */
  readonly rounds: Map<string, readonly Round[]>;
  /** Lists of lists, and maps, by name. */
  readonly lists: Map<string, Listed>;
  readonly home: string;
  readonly cwd: string;
  /** The words given to the program, as it counts them: the first is the program itself. */
  readonly argv: readonly string[];
  /** What the program reads from its standard input, when that is not the program itself. */
  readonly input: readonly string[];
  /** A dot joins texts, as in Perl and PHP; elsewhere it stands before a member. */
  readonly joins: boolean;
}

/** The texts an expression may have, marked where unknown. No texts: nothing is known about it. */
export function textsOf(tokens: readonly Token[], names: Names, depth = 0): string[] {
  if (tokens.length === 0 || depth > 12) return [];
  // `...args`, `*args`.
  if (tokens[0]?.kind === "punct" && /^(?:\.{1,3}|\*{1,2})$/.test(tokens[0].text))
    return textsOf(tokens.slice(1), names, depth + 1);
  // Python's `open(file="x")`, Swift's `removeItem(atPath: "x")`.
  if (tokens[1]?.kind === "punct" && /^[=:]$/.test(tokens[1].text) && tokens[0]?.kind === "name")
    return textsOf(tokens.slice(2), names, depth + 1);
  const list = unwrapList(tokens);
  if (list !== null) return list.flatMap((item) => textsOf(item, names, depth + 1)).slice(0, mostTexts);
  if (isWalk(tokens) || isModule(tokens)) return termTexts(tokens, names, depth);
  const formatted = formattedTexts(tokens, (part) =>
    part.length === 1 ? termTexts(part, names, depth + 1) : textsOf(part, names, depth + 1),
  );
  if (formatted !== null) return formatted;
  const sums = splitAt(tokens, (token) => token.kind === "punct" && token.text === "+");
  const lists = sums.map(unwrapList);
  // `["git"] + args`: a list, and not texts put together.
  if (sums.length > 1 && sums.some(isList))
    return sums.flatMap((term, at) =>
      (lists[at] ?? [term]).flatMap((item) => textsOf(item, names, depth + 1)),
    );
  if (sums.length > 1) return summed(sums.map((term) => textsOf(term, names, depth + 1)));
  const terms = splitAt(
    tokens,
    (token) => token.kind === "punct" && (names.joins ? joinedBy : joinedElsewhere).test(token.text),
  );
  if (terms.length === 1) return termTexts(tokens, names, depth);
  const slash = tokens.some((token) => token.kind === "punct" && token.text === "/");
  let all = [""];
  for (const term of terms) {
    const texts = termTexts(term, names, depth + 1);
    const next = texts.length === 0 ? [HOLE] : texts;
    all = all
      .flatMap((head) => next.map((tail) => (slash && head !== "" ? joined([head, tail]) : head + tail)))
      .slice(0, mostTexts);
  }
  return all;
}

const joinedBy = /^(?:\.|\.\.|\/|~)$/;
const joinedElsewhere = /^(?:\.\.|\/|~)$/;

/** `require("os").homedir()`. */
function isModule(tokens: readonly Token[]): boolean {
  return tokens[0]?.kind === "name" && loads.test(tokens[0].text) && tokens[1]?.text === "(";
}

const loads = /^(?:require|__import__|import)$/;

/** `Path("a").glob("*")`: the dot is not the one that joins texts. */
function isWalk(tokens: readonly Token[]): boolean {
  if (tokens[0]?.kind !== "name" || tokens[1]?.text !== "(") return false;
  const [closed, dot, method] = tokens.slice(partner(tokens, 1));
  return closed !== undefined && dot?.text === "." && method?.kind === "name" && walks.test(method.text);
}

function isList(tokens: readonly Token[]): boolean {
  const list = unwrapList(tokens);
  return list !== null && (tokens[0]?.text === "[" || list.length > 1 || tokens.at(-2)?.text === ",");
}

const walks =
  /(?:^|\.)(?:walk|glob|rglob|iglob|iterdir|listdir|scandir|readdir|readdirSync|glob\.sync|globSync|children|each_child|entries|find|Dir|opendir|dir_ls|list\.files)$/;
const joins = /(?:^|\.)(?:join|joinpath|catfile|catdir|resolve|File\.join)$/;
const through =
  /(?:^|\.)(?:Path|PurePath|PosixPath|str|String|expanduser|expandvars|expand_path|abspath|realpath|normpath|normalize|fspath|absolute|resolve|list|sorted|sort|reversed|set|tuple|Pathname|Pathname\.new|new|File|escapeshellarg|quote|r|b|resolve_path|strip|trim|toString|to_s|freeze|file|path|glob_escape)$/;
const inputs =
  /^(?:sys\.stdin(?:\.read(?:lines?)?)?|input|raw_input|\$?stdin\.(?:read|gets)|STDIN(?:\.read|\.gets)?|gets|ARGF\.read|file_get_contents|stream_get_contents)$/i;
const homes = /(?:^|\.)(?:homedir|home|Path\.home|Dir\.home|expanduser_home)$/;
const folders = /(?:^|\.)(?:getcwd|cwd|pwd|Dir\.pwd|__dirname|Path\.cwd)$/;
const temps =
  /(?:^|\.)(?:mkdtemp|mkstemp|gettempdir|tmpdir|mktmpdir|mkdtempSync|TemporaryDirectory|NamedTemporaryFile|tempdir|tempfile)$/;

function termTexts(tokens: readonly Token[], names: Names, depth: number): string[] {
  const first = tokens[0];
  if (first === undefined) return [];
  if (first.kind === "string") {
    if (tokens[1]?.text === "." && !names.joins) return [fill(first, names)];
    // In awk, what stands side by side is one text.
    const text = tokens
      .map((token) => (token.kind === "string" ? fill(token, names) : token.text === "$" ? HOLE : ""))
      .join("");
    return [text];
  }
  if (first.kind === "name") return nameTexts(tokens, first.text, names, depth);
  const list = unwrapList(tokens);
  if (list !== null) return list.flatMap((item) => textsOf(item, names, depth + 1));
  return loose(tokens, names);
}

function nameTexts(tokens: readonly Token[], name: string, names: Names, depth: number): string[] {
  if (/^(?:new|await|my|scalar|lambda|return|const|let|var)$/.test(name))
    return textsOf(tokens.slice(1), names, depth + 1);
  const open = tokens[1]?.text === "(" ? 1 : -1;
  if (
    /(?:^|\.)environ$|process\.env$|^\$?ENV$|getenv$|env\.get$/.test(name) ||
    /\.env\.[A-Za-z_]\w*$/.test(name)
  ) {
    const key =
      tokens.find((token) => token.kind === "string" || (token.kind === "name" && token.text === "HOME"))
        ?.text ?? name;
    if (/\bHOME$|USERPROFILE$/.test(key)) return [names.home];
    return [...(names.texts.get(`env ${key.slice(key.lastIndexOf(".") + 1)}`) ?? [HOLE])];
  }
  if (loads.test(name)) return moduleTexts(tokens, names, depth);
  if (inputs.test(name)) return [...names.input];
  if (homes.test(name)) return [names.home];
  if (folders.test(name)) return [names.cwd];
  if (temps.test(name)) return [`/tmp/${SOME}`];
  if (open < 0 && ownWords.test(name)) return wordsGiven(tokens, name, names);
  if (open < 0) return known(tokens, name, names, depth);
  const { args, end } = argumentsAt(tokens, open);
  const own = receiver(name, names);
  const texts = args.map((arg) => textsOf(arg, names, depth + 1));
  const rest = tokens.slice(end + 1);
  const joined = joinedText(name, texts);
  if (joined !== null) return joined;
  if (/^Object\.\w+$/.test(name)) return texts[0] ?? [];
  if (/(?:^|\.)(?:readFileSync|open)$/.test(name) && isInput(args[0] ?? [])) return [...names.input];
  if (walks.test(name)) return walked(own, texts[0] ?? [], name);
  if (joins.test(name) || (through.test(name) && texts.length > 1))
    return chained([own, ...texts], rest, names, depth);
  if (through.test(name)) return afterCall(atHome(name, texts[0] ?? own, names), rest, names, depth);
  const built = builtTexts(name, args, texts);
  if (built !== null) return built;
  const inside = args.flatMap((arg) => loose(arg, names));
  return [...own, ...inside].slice(0, mostTexts);
}

/** `readFileSync(0)`, `open("/dev/stdin")`. */
function isInput([first]: readonly Token[]): boolean {
  return first?.kind === "number" ? first.text === "0" : first?.text === "/dev/stdin";
}

/** What a member of a module that is loaded on the spot gives; a module alone is no text. */
function moduleTexts(tokens: readonly Token[], names: Names, depth: number): string[] {
  const { args, end } = argumentsAt(tokens, 1);
  const [dot, member, ...rest] = tokens.slice(end + 1);
  if (dot?.text !== "." || member?.kind !== "name") return [];
  const module = args[0]?.[0]?.text.replace(/^node:/, "") ?? "";
  return textsOf([{ kind: "name", text: `${module}.${member.text}` }, ...rest], names, depth + 1);
}

const ownWords = /^(?:sys\.argv|argv|\$argv|process\.argv|Bun\.argv|\$?@?ARGV|Deno\.args)$/;

/** `sys.argv[1]` and its like; all of them where no number is said. */
function wordsGiven(tokens: readonly Token[], name: string, names: Names): string[] {
  const index = tokens[1]?.text === "[" && tokens[3]?.text === "]" ? tokens[2] : undefined;
  const words = /ARGV|args$/.test(name) ? names.argv.slice(1) : names.argv;
  if (index?.kind !== "number") return names.argv.slice(1, mostTexts);
  const word = words[Number(index.text)];
  return word === undefined ? [] : [word];
}

/** `Path('a').glob('*')`, `Path('a').parent`: a method after a call. */
function afterCall(texts: readonly string[], rest: readonly Token[], names: Names, depth: number): string[] {
  const dot = rest.findIndex((token) => token.kind === "punct" && token.text === ".");
  const method = rest[dot + 1];
  if (dot < 0 || method?.kind !== "name") return [...texts];
  const { args } = argumentsAt(rest, dot + 2);
  if (method.text === "expanduser") return [...atHome("expand", texts, names)];
  const inner = args.map((arg) => textsOf(arg, names, depth + 1));
  if (walks.test(method.text)) return walked([...texts], inner[0] ?? [], method.text);
  if (joins.test(method.text)) return joinAll([[...texts], ...inner]);
  return [...texts];
}

function chained(
  parts: readonly (readonly string[])[],
  rest: readonly Token[],
  names: Names,
  depth: number,
): string[] {
  return afterCall(joinAll(parts), rest, names, depth);
}

function walked(own: readonly string[], texts: readonly string[], name: string): string[] {
  if (own.length > 0 && /glob$/.test(name)) {
    return own.flatMap((folder) =>
      (texts.length === 0 ? ["*"] : texts).map((text) => `${folder}/${DEEP}/${few(text)}`),
    );
  }
  if (/glob|^Dir$/.test(name) && texts.some((text) => /[*?[]/.test(text))) return texts.map(globbed);
  const starts = own.length > 0 ? own : texts.length > 0 ? texts : ["."];
  return starts.map((start) => `${start}/${DEEP}/${FEW}`);
}

/** `expanduser("~/x")` and its like. */
function atHome(name: string, texts: readonly string[], names: Names): readonly string[] {
  if (!/expand|Pathname/.test(name)) return texts;
  return texts.map((text) => (/^~(?:\/|$)/.test(text) ? names.home + text.slice(1) : text));
}

function few(pattern: string): string {
  return /^[*.]*$/.test(pattern) ? FEW : globbed(pattern);
}

function receiver(name: string, names: Names): string[] {
  const cut = name.lastIndexOf(".");
  return cut < 0 ? [] : [...(names.texts.get(name.slice(0, cut)) ?? [])];
}

/** `config["out"]`, `config.out`: the value under a key of a map that is spelled out. */
function underKey(tokens: readonly Token[], name: string, names: Names, depth: number): string[] | null {
  const [, open, key] = tokens;
  const [owner = "", member] = name.split(".");
  const found = names.lists.get(owner);
  const wanted = open?.text === "[" && key?.kind === "string" ? key.text : member;
  if (found?.keys !== true || wanted === undefined) return null;
  for (const item of found.items) {
    const [first, second] = unwrapList(item) ?? [];
    if (first?.length === 1 && first[0]?.text === wanted) return textsOf(second ?? [], names, depth + 1);
  }
  return null;
}

function known(tokens: readonly Token[], name: string, names: Names, depth: number): string[] {
  const value = underKey(tokens, name, names, depth);
  if (value !== null) return value;
  const texts = names.texts.get(name) ?? names.texts.get(name.split(".")[0] ?? "");
  if (texts !== undefined) return [...texts];
  if (name === "join")
    return (
      joinedText(
        name,
        splitAt(tokens.slice(1), isComma).map((arg) => textsOf(arg, names, depth + 1)),
      ) ?? []
    );
  // Perl: `glob "…"` without parentheses.
  if (tokens.length > 1 && walks.test(name))
    return walked([], textsOf(tokens.slice(1), names, depth + 1), name);
  return tokens.length > 1 && tokens[1]?.kind === "string" ? loose(tokens, names) : [];
}

function loose(tokens: readonly Token[], names: Names): string[] {
  const found: string[] = [];
  for (const token of tokens) {
    if (token.kind === "string") found.push(fill(token, names));
    if (token.kind === "name") found.push(...(names.texts.get(token.text) ?? []));
  }
  return found.slice(0, mostTexts);
}

/** The text of a string with what is known of its holes. */
export function fill(token: Token, names: Names): string {
  let at = 0;
  return token.text.replaceAll(filled, () => {
    const hole = token.holes?.[at++] ?? "";
    if (/(?:^|\.)(?:HOME|homedir\(\)|home\(\))$/.test(hole)) return names.home;
    return names.texts.get(hole)?.[0] ?? names.texts.get(`$${hole}`)?.[0] ?? HOLE;
  });
}
