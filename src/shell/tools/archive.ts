import type { Call } from "../model.ts";
import { has, optionValue, optionValues, readOptions } from "../options.ts";
import { touch } from "../record.ts";

const tarOptions =
  "fCTXIbgKLNV file directory files-from exclude exclude-from use-compress-program transform strip-components one-top-level suffix newer owner group mode warning checkpoint";

/** `tar`: what it unpacks into, the archive it makes, what it removes afterwards. */
export function tar(call: Call): void {
  const first = call.argv[1] ?? "";
  // The old style without a dash: `tar xzf a.tgz`.
  const bundled = /^[a-zA-Z]+$/.test(first) ? oldStyle(call.argv.slice(1)) : call.argv.slice(1);
  const parsed = readOptions(bundled, tarOptions);
  const extracts = has(parsed, "-x", "--extract", "--get");
  const folders = optionValues(parsed, "-C", "--directory", "--one-top-level", "--cd");
  if (extracts) {
    if (has(parsed, "-O", "--to-stdout")) return;
    for (const folder of folders)
      touch(call, "write", folder, "tar unpacks into the folder", { tree: true, keeps: true });
    for (const member of parsed.operands)
      touch(call, "write", inFolder(folders, member), "tar unpacks the member", { tree: true });
    return;
  }
  if (!has(parsed, "-c", "-r", "-u", "--create", "--append", "--update", "-A")) return;
  const file = optionValue(parsed, "-f", "--file");
  const keeps = !has(parsed, "-c", "--create");
  if (file !== null) touch(call, "write", file, "tar writes the archive", { keeps });
  if (!has(parsed, "--remove-files")) return;
  for (const source of parsed.operands)
    touch(call, "delete", inFolder(folders, source), "tar --remove-files", { tree: true });
}

const endings = /\.(?:gz|bz2|xz|lzma|zst|Z|lz4|tgz)$/;

/** `gzip` and its like: each file is replaced by one with another name. */
export function zipInPlace(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "SbTo suffix threads stdout-name");
  if (has(parsed, "-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test")) return;
  const output = optionValue(parsed, "-o");
  if (output !== null) touch(call, "write", output, "the result is written");
  const name = call.argv[0] ?? "";
  const unpacks = /^un|^gunzip$|^bunzip2$/.test(name) || has(parsed, "-d", "--decompress", "--uncompress");
  const keeps = has(parsed, "-k", "--keep") || (name.includes("zst") && !has(parsed, "--rm"));
  for (const file of parsed.operands) {
    if (!keeps) touch(call, "delete", file, `${name} replaces its arguments`);
    if (output !== null) continue;
    const result = unpacks ? file.replace(endings, "") : `${file}.${suffixOf(name)}`;
    touch(call, "write", result, `${name} writes the result`);
  }
}

function suffixOf(name: string): string {
  if (name.startsWith("b")) return "bz2";
  if (name === "xz") return "xz";
  return name.startsWith("zst") ? "zst" : name === "compress" ? "Z" : "gz";
}

function inFolder(folders: readonly string[], path: string): string {
  const folder = folders.at(-1);
  return folder === undefined || path.startsWith("/") ? path : `${folder}/${path}`;
}

/** Letters of an old-style bundle take their values from the following words in order. */
function oldStyle(words: readonly string[]): string[] {
  const [bundle = "", ...rest] = words;
  const result: string[] = [];
  for (const letter of bundle) {
    result.push(`-${letter}`);
    if ("fCTXIbgKLNV".includes(letter)) result.push(rest.shift() ?? "");
  }
  return [...result, ...rest];
}
