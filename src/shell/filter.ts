import { HOLE, isKnown } from "./marks.ts";
import { readOptions } from "./options.ts";

/** Backslash escapes of `printf` and `echo -e`. */
export function escapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|0?([0-7]{1,3})|(.))/gs,
    (whole, hex, unicode, octal, char) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
      return escapeChars[char as string] ?? whole;
    },
  );
}

const escapeChars: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  "\\": "\\",
  '"': '"',
  c: "",
};

export function decodeBase64(text: string): string {
  return printable(Buffer.from(text.replace(/\s+/g, ""), "base64").toString("utf8"));
}

export function decodeHex(text: string): string {
  const digits = text.replace(/^[0-9a-f]+:\s/gim, "").replace(/[^0-9a-fA-F]/g, "");
  return printable(Buffer.from(digits, "hex").toString("utf8"));
}

export function reversed(text: string): string {
  return text
    .split("\n")
    .map((line) => [...line].reverse().join(""))
    .join("\n");
}

/** `tr set1 set2` and `tr -d set`. */
export function translated(text: string, args: readonly string[]): string {
  const flags = args.filter((arg) => /^-\w/.test(arg)).join("");
  const [from = "", to = ""] = args.filter((arg) => !/^-\w/.test(arg)).map(setOf);
  if (!isKnown(from) || !isKnown(to)) return HOLE;
  if (flags.includes("c")) return text;
  if (flags.includes("d")) return [...text].filter((char) => !from.includes(char)).join("");
  if (to === "") return text;
  const last = to.at(-1) ?? "";
  return [...text]
    .map((char) => {
      const at = from.lastIndexOf(char);
      return at < 0 ? char : (to[at] ?? last);
    })
    .join("");
}

/** A plain `s/from/to/` of sed; text that another script would change comes back as it was. */
export function substituted(text: string, args: readonly string[]): string {
  const scripts = args.filter((arg) => !/^-[nEruz]+$/.test(arg) && arg !== "-e");
  let result = text;
  for (const script of scripts.flatMap((one) => one.split(";"))) {
    const found = /^\s*s([/|#,@!:])(.*?)\1(.*?)\1([gI]*)\s*$/.exec(script);
    if (found === null) continue;
    const extended = args.some((arg) => /^-[a-zA-Z]*[Er]/.test(arg));
    const shape = /[*+?()[\]^$|.]/.test(found[2] ?? "") ? plainPattern(found[2] ?? "", extended) : null;
    if (shape !== null && result.length < 256) {
      const regex = new RegExp(shape, found[4]?.includes("g") === true ? "g" : "");
      const text = (found[3] ?? "")
        .replace(/\$/g, "$$$$")
        .replace(/\\(\d)/g, "$$$1")
        .replace(/(?<!\\)&/g, "$$&")
        .replace(/\\(\D)/g, "$1");
      result = result
        .split("\n")
        .map((line) => line.replace(regex, text))
        .join("\n");
      continue;
    }
    const from = (found[2] ?? "").replace(/\\(.)/g, "$1");
    const to = (found[3] ?? "").replace(/\\(.)/g, "$1");
    if (from === "" || /[*+?()[\]^$|]/.test(found[2] ?? "")) continue;
    result =
      found[4]?.includes("g") === true
        ? result.replaceAll(from, to)
        : result
            .split("\n")
            .map((line) => line.replace(from, () => to))
            .join("\n");
  }
  return result;
}

/** A pattern of sed or grep in the words of JavaScript; null when it is not one of the plain kind. */
export function plainPattern(pattern: string, extended: boolean): string | null {
  // Without -E, brackets and counts have their meaning behind a backslash.
  const plain = extended
    ? pattern
    : pattern.replace(/\\?[(){}+?|]/g, (sign) => (sign.length > 1 ? sign.slice(1) : `\\${sign}`));
  // A pattern with many counts could take long to fit.
  const counts = plain.match(/[*+?{]/g)?.length ?? 0;
  const repeated = /[)\]}*+?][*+{]|\[:/.test(plain) || plain.length > 100 || counts > 2;
  if (repeated || !isClosed(plain) || /(?<!\\)[{}]|(?:^|[(|^$]|\\[bB])[*+?]|\\(?:[<>`']|$)/.test(plain))
    return null;
  return plain;
}

/** Do brackets close in their order, and do ranges begin with what is first? */
function isClosed(pattern: string): boolean {
  const groups = pattern.replace(/\\./g, "x").replace(/\[\^?[^\][]*\]/g, "x");
  let depth = 0;
  for (const sign of groups) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
    if (depth < 0 || sign === "[" || sign === "]") return false;
  }
  const sets = [...pattern.matchAll(/\[\^?([^\]]*)\]/g)].map(([, inside = ""]) =>
    inside.replace(/[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d/g, (range) =>
      (range[0] ?? "") <= (range[2] ?? "") ? "" : range,
    ),
  );
  return depth === 0 && !sets.some((rest) => /.-.|\\$/.test(rest));
}

function setOf(source: string): string {
  const classes = escapes(source)
    .replaceAll("[:lower:]", "a-z")
    .replaceAll("[:upper:]", "A-Z")
    .replaceAll("[:digit:]", "0-9")
    .replaceAll("[:alpha:]", "A-Za-z")
    .replaceAll("[:space:]", " \t\n");
  return classes.replace(/([a-zA-Z0-9!-~])-([a-zA-Z0-9!-~])/g, (_, from: string, to: string) => {
    const first = from.charCodeAt(0);
    const length = Math.min(128, Math.max(0, to.charCodeAt(0) - first + 1));
    return Array.from({ length }, (_unused, at) => String.fromCharCode(first + at)).join("");
  });
}

function printable(text: string): string {
  return text.includes("\uFFFD") ? "" : text;
}

/** `cut -c list` and `cut -d x -f list` of every line. */
export function columns(text: string, args: readonly string[]): string {
  const { options } = readOptions(args, "bcdf characters delimiter fields");
  const value = (letter: string) => options.find(([name]) => name === `-${letter}`)?.[1] ?? null;
  const list = value("c") ?? value("b") ?? value("f");
  if (list === null || !isKnown(text)) return text;
  const delimiter = value("f") === null ? "" : (value("d") ?? "\t");
  return text
    .split("\n")
    .map((line) => {
      const cells = line.split(delimiter);
      return cells.length < 2 ? line : cells.filter((_, at) => chosen(list, at + 1)).join(delimiter);
    })
    .join("\n");
}

/** Is the number in a list such as `1,3-5,7-`? */
function chosen(list: string, number: number): boolean {
  return list.split(",").some((one) => {
    const [from = "", to] = one.split("-");
    return (
      number >= Number(from || 1) && number <= (to === undefined ? Number(from) : Number(to || Infinity))
    );
  });
}

/** The lines or characters that `head` and `tail` let through. */
export function ends(text: string, args: readonly string[], last: boolean): string {
  const { options } = readOptions(args, "nc lines bytes");
  const [name = "", value = ""] = options.find(([one]) => /^-(?:[nc\d]|-lines|-bytes)/.test(one)) ?? [];
  const count = Number(value === null || value === "" ? name.slice(1) : value.replace(/^[-+]/, ""));
  if (!(count > 0) || /^[-+]/.test(value ?? "")) return text;
  const cells = /c|bytes/.test(name) ? [...text] : text.replace(/\n$/, "").split("\n");
  const kept = last ? cells.slice(-count) : cells.slice(0, count);
  return /c|bytes/.test(name) ? kept.join("") : `${kept.join("\n")}\n`;
}

/** `paste -s`: all lines as one. */
export function pasted(text: string, args: readonly string[]): string {
  const { options } = readOptions(args, "d delimiters");
  if (!options.some(([name]) => name === "-s" || name === "--serial")) return text;
  const delimiter = options.find(([name]) => name === "-d")?.[1] ?? "\t";
  return text.replace(/\n$/, "").split("\n").join(escapes(delimiter));
}
