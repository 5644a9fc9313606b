/** A piece of program text. `shell` is a string that the language hands to a shell (backticks, `qx()`). */
export interface Token {
  readonly kind: "name" | "string" | "shell" | "number" | "punct" | "line";
  readonly text: string;
  /** In strings: places where other text goes in, e.g. `${name}`, are kept as `{name}` marks here. */
  readonly holes?: readonly string[];
}

/** How a language writes comments and strings. */
export interface Syntax {
  readonly comments: readonly ("#" | "//" | "/*" | "--" | ";")[];
  /** Backticks run a shell (Perl, Ruby, PHP) or quote text (JavaScript). */
  readonly backtick: "shell" | "text" | "none";
  /** `/…/` may be a regular expression. */
  readonly regex: boolean;
  /** `q()`, `qq{}`, `qw()`, `qx()`, `%w[]`. */
  readonly quoteWords: boolean;
  /** Names may start with these. */
  readonly sigils: string;
  /** Names may hold dashes, slashes and colons. */
  readonly lisp?: boolean;
  /** Only double quotes stand around strings. */
  readonly doubleOnly?: boolean;
}

const most = 4000;

/** Placeholder inside a string for what is filled in at run time. */
export const filled = "\u0001";

/** Cuts program text into tokens. Never fails: what does not fit becomes punctuation. At most 4,000 tokens. */
export function lex(source: string, syntax: Syntax): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length && tokens.length < most) {
    const next =
      blank(source, at) ??
      comment(source, at, syntax) ??
      quoteWord(source, at, syntax, tokens) ??
      string(source, at, syntax, tokens) ??
      regex(source, at, syntax, tokens) ??
      name(source, at, syntax, tokens);
    if (next !== null) {
      at = next;
      continue;
    }
    const char = source[at] ?? "";
    const pair = source.slice(at, at + 2);
    const isPair = /^(?:=>|->|==|!=|<=|>=|&&|\|\||\+=|\.=|::|\.\.|=~|:=|<<)$/.test(pair);
    tokens.push(char === "\n" ? { kind: "line", text: "\n" } : { kind: "punct", text: isPair ? pair : char });
    at += isPair ? 2 : 1;
  }
  return tokens;
}

function blank(source: string, at: number): number | null {
  const char = source[at];
  if (char === "\\" && source[at + 1] === "\n") return at + 2;
  return char === " " || char === "\t" || char === "\r" ? at + 1 : null;
}

function comment(source: string, at: number, syntax: Syntax): number | null {
  for (const open of syntax.comments) {
    if (!source.startsWith(open, at)) continue;
    if (open === "#" && syntax.sigils.includes("$") && source[at - 1] === "$") continue;
    const end = open === "/*" ? source.indexOf("*/", at + 2) + 2 : source.indexOf("\n", at);
    return end <= 1 ? source.length : end;
  }
  return null;
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

function quoteWord(source: string, at: number, syntax: Syntax, tokens: Token[]): number | null {
  if (!syntax.quoteWords) return null;
  const previous = source[at - 1] ?? " ";
  // Perl's `</etc/*.conf>`.
  const files =
    syntax.sigils.includes("%") && source[at] === "<"
      ? /^<([^\s<>=$]*[/*?.][^\s<>=$]*)>/.exec(source.slice(at, at + 200))
      : null;
  if (files !== null) {
    tokens.push(stringToken("string", files[1] ?? "", false));
    return at + files[0].length;
  }
  if (/[\w$@%.>]/.test(previous)) return null;
  const open = /^(?:(q[qwx]?)\s*([^\w\s,;=)])|%([wWiqQx])?([^\w\s=]))/.exec(source.slice(at, at + 6));
  if (open === null) return null;
  const kind = open[1] ?? open[3] ?? "Q";
  const start = open[2] ?? open[4] ?? "";
  if (open[1] === undefined && !"([{<|!/".includes(start)) return null;
  const end = closing(source, at + open[0].length, start);
  const body = source.slice(at + open[0].length, end);
  if (/^(?:qw|w|W|i)$/.test(kind)) {
    const words = body
      .trim()
      .split(/\s+/)
      .map((text): Token => ({ kind: "string", text }));
    tokens.push({ kind: "punct", text: "[" }, ...words.flatMap((one) => [one, comma]), {
      kind: "punct",
      text: "]",
    });
  } else tokens.push(stringToken(kind === "qx" || kind === "x" ? "shell" : "string", body, kind !== "q"));
  return end + 1;
}

const comma: Token = { kind: "punct", text: "," };

function closing(source: string, from: number, open: string): number {
  const close = closers[open] ?? open;
  let depth = 0;
  for (let at = from; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === close && depth-- === 0) return at;
    else if (char === open && close !== open) depth++;
  }
  return source.length;
}

function string(source: string, at: number, syntax: Syntax, tokens: Token[]): number | null {
  const prefix = /^[rRbBuUfF]{0,2}(?=["'])/.exec(source.slice(at, at + 3))?.[0] ?? "";
  const start = at + prefix.length;
  const quote = source[start];
  if (quote !== '"' && quote !== "'" && quote !== "`") return null;
  if (quote === "'" && syntax.doubleOnly === true) return null;
  if (prefix !== "" && /\w/.test(source[at - 1] ?? " ")) return null;
  if (quote === "`" && syntax.backtick === "none") return null;
  const triple = source.startsWith(quote.repeat(3), start) && quote !== "`";
  const fence = triple ? quote.repeat(3) : quote;
  let end = start + fence.length;
  while (end < source.length && !source.startsWith(fence, end)) end += source[end] === "\\" ? 2 : 1;
  const body = source.slice(start + fence.length, end);
  const kind = quote === "`" && syntax.backtick === "shell" ? "shell" : "string";
  const fills = quote === "`" || /f/i.test(prefix) || (quote === '"' && !/[rbu]/i.test(prefix));
  const raw = /r/i.test(prefix) || (quote === "'" && syntax.quoteWords);
  tokens.push(stringToken(kind, body, fills, raw, /f/i.test(prefix)));
  return end + fence.length;
}

function stringToken(
  kind: "string" | "shell",
  body: string,
  fills: boolean,
  raw = false,
  format = false,
): Token {
  const holes: string[] = [];
  const shape = format ? /\{([^{}]*)\}/g : /[#$]\{([^{}]*)\}|\$(\w+)/g;
  const filledIn = fills
    ? body.replace(shape, (_, inner: string | undefined, bare: string | undefined) => {
        holes.push((inner ?? `$${bare ?? ""}`).trim());
        return filled;
      })
    : body;
  return { kind, text: raw ? filledIn : unescaped(filledIn), holes };
}

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([0-7]{3})|(\n)|(.))/gs,
    (_, hex, unicode, octal, line, char) => {
      if (hex !== undefined || unicode !== undefined)
        return String.fromCharCode(Number.parseInt(hex ?? unicode, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      if (line !== undefined) return "";
      return char === "n" ? "\n" : char === "t" ? "\t" : String(char);
    },
  );
}

/** Skips `/…/` where a value may start. Its text is a pattern, never a path. */
function regex(source: string, at: number, syntax: Syntax, tokens: Token[]): number | null {
  if (!syntax.regex || source[at] !== "/") return null;
  const last = tokens.at(-1);
  const valueBefore =
    last !== undefined &&
    (last.kind === "string" ||
      last.kind === "number" ||
      (last.kind === "punct" && /^[)\]}]$/.test(last.text)) ||
      (last.kind === "name" &&
        !/^(?:if|unless|and|or|not|split|grep|return|when|while|until|print|puts|match|case)$/.test(
          last.text,
        )));
  if (valueBefore) return null;
  const end = /^\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+\/[a-z]*/.exec(source.slice(at, at + 500));
  if (end === null) return null;
  tokens.push({ kind: "number", text: "0" });
  return at + end[0].length;
}

function name(source: string, at: number, syntax: Syntax, tokens: Token[]): number | null {
  const rest = source.slice(at, at + 200);
  const number = /^\d[\w.]*/.exec(rest);
  if (number !== null) {
    tokens.push({ kind: "number", text: number[0] });
    return at + number[0].length;
  }
  if (syntax.lisp === true) {
    const symbol = /^[A-Za-z_][\w*+!?<>=.:/-]*/.exec(rest)?.[0];
    if (symbol !== undefined) tokens.push({ kind: "name", text: symbol.replace(/[/:]+/g, ".") });
    return symbol === undefined ? null : at + symbol.length;
  }
  const sigil = syntax.sigils.includes(rest[0] ?? " ") && /^[$@%&]\w/.test(rest) ? 1 : 0;
  const found = /^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*(?:(?:\.|::|->|\?\.)[A-Za-z_]\w*)*[!?]?/.exec(
    rest.slice(sigil),
  );
  if (found === null) return null;
  const word = found[0].replace(/[?]?\.|->/g, ".").replaceAll("::", ".");
  const plain = /[!?]$/.test(word) && source[at + sigil + found[0].length] === "=" ? word.slice(0, -1) : word;
  tokens.push({ kind: "name", text: sigil === 1 ? `$${plain}` : plain });
  return at + sigil + found[0].length - (word.length - plain.length);
}
