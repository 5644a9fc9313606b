import { hasUnknown, isOpaque, NOWHERE, SOME } from "./marks.ts";
import { type Call, type Stream, textStream, unknownText } from "./model.ts";
import { has, optionValue, readOptions } from "./options.ts";
import { absolute, parentOf } from "./place.ts";

/** `realpath` and `readlink`. */
export function resolved(call: Call): Stream {
  const path = readOptions(call.argv.slice(1)).operands[0];
  return path === undefined ? unknownText : textStream(`${absolute(call.scope.cwd, path)}\n`);
}

/** What `mktemp` prints. */
export function temporary(call: Call): Stream {
  const parsed = readOptions(call.argv.slice(1), "pt? tmpdir suffix");
  const base = optionValue(parsed, "-p", "--tmpdir") ?? call.run.world.tmp[0] ?? "/tmp";
  const template = parsed.operands[0];
  const name = template?.replace(/X{3,}/, SOME) ?? `tmp.${SOME}`;
  const here = template !== undefined && !has(parsed, "-t", "-p", "--tmpdir");
  return textStream(`${here || name.startsWith("/") ? absolute(call.scope.cwd, name) : `${base}/${name}`}\n`);
}

/** What `dirname` makes of a path. */
export function folderOf(path: string): string {
  if (hasUnknown(path) && !path.includes("/")) return isOpaque(path) ? NOWHERE : ".";
  return path.includes("/") ? parentOf(path.replace(/(?<=.)\/+$/, "")) : ".";
}
