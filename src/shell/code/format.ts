import { decodeBase64, decodeHex } from "../filter.ts";
import { HOLE } from "../marks.ts";
import { parentOf } from "../place.ts";
import { argumentsAt, partner, splitAt } from "./brackets.ts";
import type { Token } from "./lex.ts";

type Texts = (tokens: readonly Token[]) => string[];

/**
 * The texts of an expression that builds a string from others: `'…' % x`, `'…'.format(x)`, `' '.join(list)`,
 * `'…'.replace(a, b)`, `'…'[::-1]`. Null for other expressions.
 */
export function formattedTexts(tokens: readonly Token[], texts: Texts): string[] | null {
  const first = tokens[0];
  if (first?.text === "[" && first.kind === "punct") {
    const close = partner(tokens, 0);
    return tokens[close + 1]?.text === "."
      ? chain(texts(tokens.slice(0, close + 1)), tokens.slice(close + 1), texts)
      : null;
  }
  if (first?.kind !== "string") return null;
  const parts = splitAt(tokens, (token) => token.kind === "punct" && token.text === "%");
  if (parts.length === 2) {
    const [format = [], values = []] = parts;
    return format.every((token) => token.kind === "string")
      ? texts(format).map((text) => percent(text, texts(values)))
      : null;
  }
  const next = tokens[1];
  if (next?.text !== "." && next?.text !== "[") return null;
  return chain([...texts(tokens.slice(0, 1))], tokens.slice(1), texts);
}

function percent(format: string, values: readonly string[]): string {
  let at = 0;
  return format.replace(/%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[sdrixfc]/g, () => values[at++] ?? HOLE);
}

/** Applies the methods that follow a text, one after the other. Null when one of them is not known. */
function chain(start: string[], calls: readonly Token[], texts: Texts): string[] | null {
  let list = start;
  let at = 0;
  while (at < calls.length) {
    if (isReversal(calls, at)) {
      list = list.map((text) => [...text].reverse().join(""));
      at = partner(calls, at) + 1;
      continue;
    }
    const method = calls[at + 1];
    if (calls[at]?.text !== "." || method?.kind !== "name") return null;
    const called = calls[at + 2]?.text === "(";
    if (!called && !alone.test(method.text)) return null;
    const { args, end } = called ? argumentsAt(calls, at + 2) : { args: [], end: at + 1 };
    const changed = applied(method.text, list, args.map(texts));
    if (changed === null) return null;
    list = changed;
    at = end + 1;
  }
  return list;
}

/** Methods that Ruby calls without parentheses. */
const alone = /^(?:reverse|strip|chomp|downcase|upcase|to_s|freeze)$/;

function isReversal(calls: readonly Token[], at: number): boolean {
  const inside = calls
    .slice(at, at + 6)
    .map((token) => token.text)
    .join("");
  return inside.startsWith("[::-1]");
}

function applied(method: string, list: readonly string[], args: readonly string[][]): string[] | null {
  const [first = "", second = ""] = args.map((one) => one[0] ?? "");
  switch (method) {
    case "format":
      return list.map((text) => braces(text, args.flat()));
    case "join":
      return [list.length > 1 ? list.join(first) : (args[0] ?? []).join(list[0] ?? "")];
    case "replace":
    case "replaceAll":
    case "gsub":
      return first === "" ? [...list] : list.map((text) => text.replaceAll(first, second));
    case "split":
      return list.flatMap((text) =>
        first === "" && args.length > 0 ? [...text] : text.split(first || /\s+/),
      );
    case "reverse":
      return list.length === 1 ? list.map((text) => [...text].reverse().join("")) : [...list].reverse();
    case "concat":
      return list.map((text) => text + args.flat().join(""));
    case "lower":
    case "toLowerCase":
    case "downcase":
      return list.map((text) => text.toLowerCase());
    case "upper":
    case "toUpperCase":
    case "upcase":
      return list.map((text) => text.toUpperCase());
    case "strip":
    case "trim":
    case "chomp":
      return list.map((text) => text.trim());
    case "encode":
    case "decode":
    case "toString":
    case "to_s":
    case "freeze":
      return [...list];
    default:
      return null;
  }
}

function braces(text: string, values: readonly string[]): string {
  let at = 0;
  return text.replace(/\{(\d*|\w+)(?:[:!][^{}]*)?\}/g, (_, key: string) =>
    /^\d+$/.test(key) ? (values[Number(key)] ?? HOLE) : (values[at++] ?? values[0] ?? HOLE),
  );
}

const decodes =
  /(?:^|\.)(?:b64decode|urlsafe_b64decode|atob|decode64|strict_decode64|base64_decode|decode_base64)$/;

/** What a call gives that decodes a text or builds it from numbers; null for other calls. */
export function builtTexts(
  name: string,
  args: readonly (readonly Token[])[],
  texts: readonly (readonly string[])[],
): string[] | null {
  const [first = [], second = []] = texts;
  if (/(?:^|\.)dirname$/.test(name)) return first.map(parentOf);
  const numbers =
    args
      .at(-1)
      ?.filter((token) => token.kind === "number")
      .map((token) => Number(token.text)) ?? [];
  const spelled = /^(?:bytes|bytearray)$/.test(name) || (name === "map" && args[0]?.[0]?.text === "chr");
  if (spelled && numbers.length > 0 && numbers.every((code) => code > 0 && code < 0x11_0000))
    return [String.fromCodePoint(...numbers)];
  if (/^(?:strrev|reverse|string\.reverse|rev)$/.test(name))
    return first.map((text) => [...text].reverse().join(""));
  if (/^(?:chr|String\.fromCharCode)$/.test(name)) {
    const codes = args.map((arg) => Number(arg[0]?.kind === "number" ? arg[0].text : Number.NaN));
    return codes.every((code) => code > 0 && code < 0x11_0000) ? [String.fromCodePoint(...codes)] : null;
  }
  const base64 = decodes.test(name) || (/\bBuffer\.from$/.test(name) && second.includes("base64"));
  if (base64) return first.map(decodeBase64).filter((text) => text !== "");
  if (/\bBuffer\.from$/.test(name) && second.includes("hex")) return first.map(decodeHex);
  if (name === "codecs.decode" && /^rot_?13$/.test(second[0] ?? "")) return first.map(rotated);
  return null;
}

/** `implode(" ", list)` and Perl's `join " ", list`; null for paths. */
export function joinedText(name: string, texts: readonly (readonly string[])[]): string[] | null {
  const [between = "x"] = texts[0] ?? [];
  if (!/^(?:join|implode)$/.test(name) || texts.length < 2 || /[\w/.]/.test(between)) return null;
  return [texts.slice(1).flat().join(between)];
}

function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}
