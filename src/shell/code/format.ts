import { decodeBase64 } from "../filter.ts";
import { HOLE } from "../marks.ts";
import type { Token } from "./lex.ts";
import { argumentsAt, partner, splitAt } from "./values.ts";

type Texts = (tokens: readonly Token[]) => string[];

/**
 * The texts of an expression that builds a string from others: `'…' % x`, `'…'.format(x)`, `' '.join(list)`,
 * `'…'.replace(a, b)`, `'…'[::-1]`. Null for other expressions.
 */
export function formattedTexts(tokens: readonly Token[], texts: Texts): string[] | null {
  const first = tokens[0];
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
    if (calls[at]?.text !== "." || method?.kind !== "name" || calls[at + 2]?.text !== "(") return null;
    const { args, end } = argumentsAt(calls, at + 2);
    const changed = applied(method.text, list, args.map(texts));
    if (changed === null) return null;
    list = changed;
    at = end + 1;
  }
  return list;
}

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
      return [...list].reverse();
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

/** What `b64decode("…")` and its like give. */
export function decodedTexts(texts: readonly string[]): string[] {
  return texts.map(decodeBase64).filter((text) => text !== "");
}
