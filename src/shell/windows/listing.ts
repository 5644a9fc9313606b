import { DEEP, globbed, STAR } from "../marks.ts";
import { type Call, noText, type Stream, textStream } from "../model.ts";
import { absolute, baseOf, parentOf } from "../place.ts";
import { touch } from "../record.ts";
import { windowsPath } from "./names.ts";
import { type Arguments, flagged, parameter } from "./parameters.ts";

/** `Get-ChildItem`, `dir`: the names that a folder holds, as far as the text tells. */
export function listItems(args: Arguments): Stream {
  const folder = windowsPath(globbed(parameter(args, "path", "literalpath") ?? args.operands[0] ?? "."));
  const filter = parameter(args, "filter", "include") ?? args.operands[1] ?? null;
  const deep = flagged(args, "recurse", "s");
  if (filter !== null)
    return textStream(`${folder}/${deep ? `${DEEP}/` : ""}${globbed(filter)}\n`, "program");
  const base = baseOf(folder);
  const below = `${folder}/${deep ? `${DEEP}/` : ""}${STAR}`;
  // A name like `.env` may be that of a file, which is listed itself, or of a folder.
  const isFile = /[\uE002-\uE004]/.test(base) || /[^.]\.\w+$/.test(base);
  const named = deep && isFile ? `${parentOf(folder)}/${DEEP}/${base}` : folder;
  const items = isFile ? [named] : /^\.\w/.test(base) ? [named, below] : [below];
  return textStream(items.map((item) => `${item}\n`).join(""), "program");
}

/** `Get-Item a, b`: just these. */
export function namedItems(args: Arguments): Stream {
  const names = [parameter(args, "path", "literalpath"), ...args.operands].filter((name) => name !== null);
  const paths = names.flatMap((name) => name.split(",")).map((name) => windowsPath(globbed(name.trim())));
  return textStream(paths.map((path) => `${path}\n`).join(""), "program");
}

/** `Split-Path x`: the folder that holds it. */
export function parentItem(call: Call, args: Arguments): Stream {
  const path = windowsPath(parameter(args, "path", "literalpath") ?? args.operands[0] ?? "");
  return textStream(`${flagged(args, "leaf") ? baseOf(path) : parentOf(absolute(call.scope.cwd, path))}\n`);
}

const byName = /\b(name|extension)\s+-[ci]?(eq|like|match)\s+["']?([^"'\s})]+)/i;

/** `Where-Object Name -eq '.env'` picks items by their name; any other condition lets all through. */
export function chosenItems(call: Call): Stream {
  const [, property = "", test = "", wanted] = byName.exec(call.argv.slice(1).join(" ")) ?? [];
  if (wanted === undefined) return call.stdin;
  const plain = wanted.replace(/\\(.)/g, "$1").replace(/^\^|\$$/g, "");
  const matched = `${wanted.startsWith("^") ? "" : "*"}${plain}${wanted.endsWith("$") ? "" : "*"}`;
  const shape = /^m/i.test(test) ? matched : wanted;
  const name = globbed(/^e/i.test(property) && !shape.startsWith("*") ? `*${shape}` : shape);
  const lines = call.stdin.text.split("\n").filter((line) => line !== "");
  const text = lines.map((line) => `${line.slice(0, line.length - baseOf(line).length)}${name}\n`).join("");
  return { text, from: call.stdin.from };
}

/** `Rename-Item old new`, also for what a pipeline brings. */
export function renameItems(call: Call, args: Arguments, paths: readonly string[]): Stream {
  const named = paths.length > 0;
  const items = named ? paths : call.stdin.text.split("\n").filter((line) => line !== "");
  for (const path of items) {
    touch(call, "move", path, "the item gets another name", { tree: true });
    const target = parameter(args, "newname") ?? args.operands[named ? 1 : 0];
    if (target !== undefined && !target.startsWith("{"))
      touch(
        call,
        "write",
        `${path.slice(0, path.lastIndexOf("/") + 1)}${windowsPath(target)}`,
        "the item gets another name",
      );
  }
  return noText;
}
