import { HOLE, SOME, STAR } from "../marks.ts";

/** One word of a PowerShell or cmd command. */
export interface WindowsWord {
  readonly text: string;
  readonly quoted: boolean;
  /** Text of a `{…}` or `(…)` part that is code of its own. */
  readonly code: string | null;
  /** Nothing but a variable, whose value it is. */
  readonly variable?: boolean;
  /** `$x.Delete()`: what the variable holds, and what is called on it. */
  readonly member?: { readonly on: string; readonly method: string } | undefined;
}

export interface WindowsCommand {
  readonly words: readonly WindowsWord[];
  /** Target of `>` or `>>`. */
  readonly into: readonly string[];
  /** Its input is the output of the command before. */
  readonly piped: boolean;
  /** Called by `&`: the first word is a name even when it is quoted. */
  readonly called: boolean;
}

/** How names in the text become texts. */
export interface WindowsNames {
  variable(name: string): string | undefined;
}

const mostCommands = 512;

/**
 * Cuts PowerShell or cmd text into commands. Backslashes are plain, backtick and `^` escape, `$x`, `$env:X`
 * and `%X%` are looked up. Never fails.
 */
export function* windowsCommands(text: string, names: WindowsNames): Generator<WindowsCommand> {
  let count = 0;
  let words: WindowsWord[] = [];
  let into: string[] = [];
  let piped = false;
  let called = false;
  let at = 0;
  while (at < text.length && count < mostCommands) {
    const isTarget = words.length === 0 || isSign(words.at(-1));
    const assigned = isTarget ? assignment.exec(text.slice(at, at + 120)) : null;
    const gap = gapAt(text, at);
    if (gap > at) {
      at = gap;
      continue;
    }
    if (assigned !== null) {
      words.push(plainWord(`$${assigned[1] ?? ""}`), plainWord(assigned[2] ?? "="));
      at += assigned[0].length;
      continue;
    }
    const char = text[at] ?? "";
    const operator = /^(?:\|\||&&|[;\n|]|&(?![\w"'&]|\s*["'$]))/.exec(text.slice(at, at + 4));
    if (operator !== null && !(operator[0] === "&" && words.length === 0)) {
      if (words.length > 0 || into.length > 0) yield { words, into, piped, called };
      count++;
      words = [];
      into = [];
      piped = operator[0] === "|";
      called = false;
      at += operator[0].length;
    } else if (/[\s,]/.test(char) || (char === "&" && words.length === 0)) {
      called ||= char === "&";
      at++;
    } else if (char === "#") at = endOf(text, at, "\n");
    else {
      const redirect = /^(?:[1-6*])?>{1,2}(?!&)\s*/.exec(text.slice(at, at + 8));
      if (redirect !== null) {
        const word = readWord(text, at + redirect[0].length, names);
        into.push(word.word.text);
        at = word.end;
      } else if (/^\d?>&\d/.test(text.slice(at, at + 4))) at += 4;
      else {
        const word = readWord(text, at, names, words.length === 0);
        words.push(word.word);
        at = Math.max(word.end, at + 1);
      }
    }
  }
  if (words.length > 0 || into.length > 0) yield { words, into, piped, called };
}

/** Where what separates words like a blank ends: a line that goes on in the next, a comment in `<# … #>`. */
function gapAt(text: string, at: number): number {
  if (text.startsWith("<#", at)) return endOf(text, at, "#>") + 2;
  const goesOn = text[at] === "`" || (text[at] === "^" && /\s/.test(text[at - 1] ?? " "));
  return goesOn && text[at + 1] === "\n" ? at + 2 : at;
}

/** `$x = `, `$env:X += `, and the last of `$a, $b = `. */
const assignment = /^(?:\$\w+\s*,\s*){0,8}\$\{?((?:env:|global:|script:)?\w+)\}?\s*(?:\?\?)?(\+?=)(?!=)\s*/i;

/** Does the word stand between a variable and what it is given? */
export function isSign(word: WindowsWord | undefined): boolean {
  return word !== undefined && !word.quoted && /^\+?=$/.test(word.text);
}

/** `${env:X}` is a variable, not code. */
const braced = /^\$\{[\w:]+\}/;

function plainWord(text: string): WindowsWord {
  return { text, quoted: false, code: null };
}

/** Reads one word. The name of a command ends in front of a bracket: `iex(…)`, `if(…)`. */
function readWord(
  text: string,
  from: number,
  names: WindowsNames,
  isName = false,
): { word: WindowsWord; end: number } {
  let result = "";
  let quoted = false;
  let code: string | null = null;
  let at = from;
  while (at < text.length) {
    const char = text[at] ?? "";
    if (/[\s;|,]/.test(char) || (char === "&" && result !== "") || (char === ">" && at > from)) break;
    if (char === "`" && text[at + 1] === "\n") break;
    const here = char === "@" ? hereString.exec(text.slice(at, at + 4)) : null;
    if (here !== null) {
      const end = text.indexOf(`\n${here[1]}@`, at + 2);
      const inner = text.slice(at + here[0].length, end < 0 ? text.length : end);
      result += here[1] === "'" ? inner : looked(inner, names);
      quoted = true;
      at = end < 0 ? text.length : end + 3;
    } else if (char === "'" || char === '"') {
      const end = closeQuote(text, at + 1, char);
      const inner = text.slice(at + 1, end);
      result += char === "'" ? inner.replaceAll("''", "'") : looked(inner, names);
      quoted = true;
      at = pastPlus(text, end + 1);
    } else if (char === "(" && isName && !quoted && /^[a-z][a-z-]*$/i.test(result)) break;
    else if (
      char === "{" ||
      char === "(" ||
      ((char === "$" || char === "@") &&
        /[({]/.test(text[at + 1] ?? "") &&
        !braced.test(text.slice(at, at + 80)))
    ) {
      const open = char === "{" || char === "(" ? at : at + 1;
      const end = closeBracket(text, open);
      const inner = text.slice(open + 1, end);
      code = code === null ? inner : `${code}\n${inner}`;
      result += text.slice(at, end + 1);
      at = end + 1;
    } else if (char === "`" || (char === "^" && result !== "" && text[at + 1] !== undefined)) {
      result += text[at + 1] ?? "";
      at += 2;
    } else {
      const rest = text.slice(at, at + 2048);
      const piece = (braced.exec(rest) ?? inSum.exec(rest) ?? /^[^\s;|,&>'"{(`^]+/.exec(rest))?.[0] ?? char;
      const cut = piece.search(/(?<!^)[$@]$/);
      const plain = cut > 0 ? piece.slice(0, cut) : piece;
      result += looked(plain, names).replaceAll("*", STAR);
      at = pastPlus(text, at + plain.length);
    }
  }
  const raw = text.slice(from, Math.min(at, from + 80));
  const variable = /^\$(?:\w+\+\$)*\{?\w[\w:]*\}?$/.test(raw);
  const [, holder, method = ""] = /^\$\{?(\w[\w:]*)\}?\.(\w+)\(/.exec(raw) ?? [];
  const on = holder === undefined ? undefined : (names.variable(holder.toLowerCase()) ?? SOME);
  const member = on === undefined ? undefined : { on, method };
  const home = !quoted && /^~(?:[\\/]|$)/.test(result) ? names.variable("home") : undefined;
  return {
    word: { text: home === undefined ? result : home + result.slice(1), quoted, code, variable, member },
    end: at,
  };
}

/** `"a"+"b"`, `$a+"b"`: one text, whose next part begins behind the sign. */
function pastPlus(text: string, at: number): number {
  return /["'\w}]/.test(text[at - 1] ?? "") && /^\+["'$]/.test(text.slice(at, at + 2)) ? at + 1 : at;
}

const inSum = /^\$\w+(?=\+["'$])/;

/** `@'` or `@"` at the end of a line: the text up to the next line that begins with the same sign. */
const hereString = /^@(['"])[ \t]*\n/;

/** Text with the variables in it filled in. */
export function looked(text: string, names: WindowsNames): string {
  if (!/[$%`!]/.test(text)) return text;
  return text
    .replace(/!(\w+)!/g, (whole, name: string) => names.variable(`env:${name.toLowerCase()}`) ?? whole)
    .replace(/`(.)/g, "$1")
    .replace(/\$(\w+)\[(\d+)\]/g, (whole, name: string, item: string) => {
      const items = names.variable(name.toLowerCase())?.split("\n");
      return items?.[Number(item)] ?? whole;
    })
    .replace(/\$\(\s*(\$[\w:{}]+)(?:\.Path)?\s*\)/g, "$1")
    .replace(/\$\(\s*(?:Get-Location|pwd|gl)\s*\)/gi, "$PWD")
    .replace(/(?<=\$\{?\w+\}?)\.(?:FullName|PSPath|ProviderPath|Path|Name)\b/gi, "")
    .replace(
      /\$\{?env:(\w+)\}?|%(\w+)(?::[^%]*)?%|\$\{?(\w+)\}?/gi,
      (_, env: string | undefined, percent: string | undefined, name: string | undefined) => {
        const wanted = env ?? percent;
        if (wanted !== undefined) return names.variable(`env:${wanted.toLowerCase()}`) ?? HOLE;
        return names.variable((name ?? "").toLowerCase()) ?? (name === "_" ? SOME : HOLE);
      },
    );
}

/** `'--' + 'force'`, `$a + 'b'`, `'{0}{1}' -f 'a', 'b'`: texts that are put together; null for anything else. */
export function sumOf(words: readonly WindowsWord[]): string | null {
  const [form, sign, ...values] = words;
  const isText = form?.quoted === true || form?.variable === true;
  if (isText && /^-f$/i.test(sign?.text ?? "") && values.every(({ code }) => code === null))
    return form.text.replace(/\{(\d)[^{}]*\}/g, (_, at: string) => values[Number(at)]?.text ?? SOME);
  const isSum = words.length > 2 && words.length % 2 === 1 && isText;
  const parts = words.filter((_, at) => at % 2 === 0);
  if (!isSum || !words.every((word, at) => at % 2 === 0 || (word.text === "+" && !word.quoted))) return null;
  return parts.map((word) => word.text).join("");
}

function closeQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "`" && quote === '"') at++;
    else if (text[at] === quote) {
      if (text[at + 1] !== quote) return at;
      at++;
    }
  }
  return text.length;
}

/** Where the bracket that opens there closes. */
export function closeBracket(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (char === "'" || char === '"') at = closeQuote(text, at + 1, char);
    else if (char === "{" || char === "(") depth++;
    else if ((char === "}" || char === ")") && --depth === 0) return at;
  }
  return text.length;
}

function endOf(text: string, from: number, mark: string): number {
  const end = text.indexOf(mark, from);
  return end < 0 ? text.length : end;
}
