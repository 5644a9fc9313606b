import { noteFetchedFolder } from "../fetched.ts";
import { globbed, SOME } from "../marks.ts";
import { type Call, type Stream, worse } from "../model.ts";
import { has, optionValue, optionValues, type Parsed, readOptions } from "../options.ts";
import { absolute } from "../place.ts";
import { bring, touch } from "../record.ts";
import { madeIn } from "./copy.ts";

const tarOptions =
  "fCTXIbgKLNV file directory files-from exclude exclude-from use-compress-program transform strip-components one-top-level suffix newer owner group mode warning checkpoint";

/** `tar`: what it unpacks into, the archive it makes, what it removes afterwards. */
export function tar(call: Call): void {
  const parsed = tarWords(call);
  const extracts = has(parsed, "-x", "--extract", "--get");
  const folders = optionValues(parsed, "-C", "--directory", "--one-top-level", "--cd");
  if (extracts) {
    if (has(parsed, "-O", "--to-stdout")) return;
    for (const folder of folders)
      touch(call, "write", folder, "tar unpacks into the folder", { tree: true, keeps: true });
    for (const member of parsed.operands)
      touch(call, "write", inFolder(folders, member), "tar unpacks the member", { tree: true });
    unpackKnown(call, optionValue(parsed, "-f", "--file"), folders, parsed.operands.length > 0);
    unpackSeen(call, parsed, folders);
    return;
  }
  if (!has(parsed, "-c", "-r", "-u", "--create", "--append", "--update", "-A")) return;
  const file = optionValue(parsed, "-f", "--file");
  const keeps = !has(parsed, "-c", "--create");
  if (file !== null && file !== "-") {
    touch(call, "write", file, "tar writes the archive", { keeps });
    call.scope.files.set(absolute(call.scope.cwd, file), archiveOf(call, folders, parsed.operands));
  }
  if (!has(parsed, "--remove-files")) return;
  for (const source of parsed.operands)
    touch(call, "delete", inFolder(folders, source), "tar --remove-files", { tree: true });
}

/** Unpacks what this command line packed, or fetched. */
function unpackKnown(call: Call, file: string | null, folders: readonly string[], chosen: boolean): void {
  const { files, cwd, place } = call.scope;
  const known = file === null || file === "-" ? call.stdin : files.get(absolute(cwd, file));
  if (known?.from === "network") noteFetchedFolder(call.scope, folders.at(-1) ?? ".");
  if (chosen || place !== "host") return;
  for (const member of known?.members ?? [])
    touch(call, "write", inFolder(folders, member), unpackedInto, { tree: true });
}

/** What an archive on the disk holds, or folders that are packed on the way, only who looks knows. */
function unpackSeen(call: Call, parsed: Parsed, folders: readonly string[]): void {
  if (has(parsed, "-k", "--keep-old-files", "--skip-old-files")) return;
  const file = optionValue(parsed, "-f", "--file");
  const [to, strip] = [folders.at(-1) ?? ".", Number(optionValue(parsed, "--strip-components") ?? 0)];
  const filters = optionValues(parsed, "--exclude").map((pattern) => `-${pattern}`);
  const more = { strip, filters, picked: parsed.operands, leaves: "--exclude=" };
  const archives = file === null || file === "-" ? (call.stdin.files ?? []) : [file];
  for (const archive of archives) bring(call, archive, to, "unpacked", more);
  const { git } = call.stdin;
  if (archives.length === 0 && git?.kind === "tree") bring(call, ".", to, "unpacked", { ...more, git });
  if (strip > 0 || parsed.operands.length > 0) return;
  for (const { from, name } of call.stdin.packed ?? []) bring(call, from, `${to}/${name}`, "as", more);
}

/** How files come about that an archive, made by the same command line, brings along. */
export const unpackedInto = "tar unpacks what was packed";

/** The archive that `tar c` makes: its members, and what this command line put into them. */
function archiveOf(call: Call, folders: readonly string[], members: readonly string[]): Stream {
  const known = members.flatMap((member) => {
    const below = madeIn(call, inFolder(folders, member)).map((name) => `${member}/${name}`);
    return member === "." ? below : [member, ...below];
  });
  const packed = members.slice(0, 16).map((name) => ({
    from: absolute(call.scope.cwd, inFolder(folders, name)),
    name: name.startsWith("/") ? name.slice(1) : name,
  }));
  return { text: SOME, from: "program", packed, members: known.filter((member) => !member.startsWith("/")) };
}

/** What `tar c` prints when no file is named. */
export function archiveOutput(call: Call): Stream {
  const parsed = tarWords(call);
  const file = optionValue(parsed, "-f", "--file");
  if (!has(parsed, "-c", "--create") || (file !== null && file !== "-"))
    return {
      text: SOME,
      from: worse(has(parsed, "-O", "--to-stdout") ? "decoder" : "program", call.stdin.from),
    };
  return archiveOf(call, optionValues(parsed, "-C", "--directory", "--cd"), parsed.operands);
}

/** `unzip`: a member goes below the folder, also when its name begins with a slash. */
export function unzip(call: Call): void {
  const excluded = call.argv.indexOf("-x");
  const words = excluded < 0 ? call.argv.slice(1) : call.argv.slice(1, excluded);
  const parsed = readOptions([...words, ...afterExcluded(call.argv, excluded)], "dP");
  if (has(parsed, "-l", "-t", "-p", "-v", "-Z", "-c")) return;
  const folders = optionValues(parsed, "-d");
  for (const folder of folders)
    touch(call, "write", folder, "unzip unpacks into the folder", { tree: true, keeps: true });
  const [archive = "", ...picked] = parsed.operands;
  const filters = excluded < 0 ? [] : call.argv.slice(excluded + 1).map((pattern) => `-${pattern}`);
  if (archive !== "" && !has(parsed, "-n"))
    bring(call, archive, folders.at(-1) ?? ".", "unpacked", { picked, filters, leaves: "-x " });
  if (call.scope.files.get(absolute(call.scope.cwd, archive))?.from === "network")
    noteFetchedFolder(call.scope, folders.at(-1) ?? ".");
  for (const member of picked)
    touch(call, "write", inFolder(folders, globbed(member.replace(/^\/+/, ""))), "unzip unpacks the member");
}

/** The list of excluded members ends at `-d`. */
function afterExcluded(argv: readonly string[], excluded: number): readonly string[] {
  const at = excluded < 0 ? -1 : argv.indexOf("-d", excluded);
  return at < 0 ? [] : argv.slice(at);
}

/** The old style without a dash: `tar xzf a.tgz`. */
function tarWords(call: Call): Parsed {
  const first = call.argv[1] ?? "";
  return readOptions(
    /^[a-zA-Z]+$/.test(first) ? oldStyle(call.argv.slice(1)) : call.argv.slice(1),
    tarOptions,
  );
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
