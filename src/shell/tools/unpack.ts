import { globbed } from "../marks.ts";
import type { Call } from "../model.ts";
import { has, optionValue, readOptions } from "../options.ts";
import { bring, touch } from "../record.ts";

/** Notes the files that a packer other than tar and unzip writes. */
export function unpack(call: Call, name: string): void {
  if (Object.hasOwn(packers, name)) packers[name]?.(call);
}

const packers: Readonly<Record<string, (call: Call) => void>> = {
  "7z": sevenZip,
  "7za": sevenZip,
  "7zr": sevenZip,
  "7zz": sevenZip,
  ar,
  cpio,
  jar,
  pax,
  tarfile: pythonModule,
  unar,
  zipfile: pythonModule,
};

/** `7z x a.7z -oFOLDER`; its switches may stand anywhere and keep their value close. */
function sevenZip(call: Call): void {
  const words = call.argv.slice(1);
  const switches = words.filter((word) => word.startsWith("-"));
  const [verb = "", archive, ...picked] = words.filter((word) => !word.startsWith("-"));
  if (archive === undefined) return;
  const given = (start: string) =>
    switches.filter((word) => word.startsWith(start)).map((word) => word.slice(start.length));
  if (/^(?:a|u|d|rn)$/.test(verb)) {
    touch(call, "write", archive, "7z writes the archive", { keeps: true });
    if (!switches.includes("-sdel")) return;
    for (const source of picked) touch(call, "delete", source, "7z -sdel", { tree: true });
  }
  if (!/^[xe]$/.test(verb) || switches.includes("-so")) return;
  const folder = given("-o").at(-1);
  if (folder !== undefined)
    touch(call, "write", folder, "7z unpacks into the folder", { tree: true, keeps: true });
  for (const member of picked)
    touch(call, "write", folder === undefined ? member : `${folder}/${member}`, "7z unpacks the member");
  // What is there stays, or is given another name.
  if (switches.some((word) => /^-ao[su]$/.test(word))) return;
  const filters = [...given("-x!"), ...given("-xr!")].map((pattern) => `-${pattern}`);
  bring(call, archive, folder ?? ".", "unpacked", { picked, filters, leaves: "-x!" });
}

/** `jar xf a.jar`, `jar --extract --file a.jar`. */
function jar(call: Call): void {
  const [first = "", ...rest] = call.argv.slice(1);
  const words = /^[a-zA-Z0]+$/.test(first) ? [`-${first}`, ...rest] : [first, ...rest];
  const parsed = readOptions(words, "fC file dir");
  const file = optionValue(parsed, "-f", "--file");
  if (file === null) return;
  if (has(parsed, "-c", "-u", "--create", "--update")) touch(call, "write", file, "jar writes its file");
  if (!has(parsed, "-x", "--extract") || has(parsed, "-k", "--keep-old-files")) return;
  const to = optionValue(parsed, "-C", "--dir") ?? ".";
  for (const member of parsed.operands) touch(call, "write", `${to}/${member}`, "jar unpacks the member");
  bring(call, file, to, "unpacked", { picked: parsed.operands });
}

/** `python -m tarfile -e a.tar [folder]`, `python -m zipfile -c a.zip files`. */
function pythonModule(call: Call): void {
  const [verb = "", archive, folder = "."] = call.argv
    .slice(1)
    .filter((word) => !/^(?:-v|--verbose)$/.test(word));
  if (archive === undefined) return;
  if (/^(?:-c|--create)$/.test(verb)) touch(call, "write", archive, "the archive is written");
  if (!/^(?:-e|--extract)$/.test(verb)) return;
  touch(call, "write", folder, "the archive is unpacked into the folder", { tree: true, keeps: true });
  bring(call, archive, folder, "unpacked");
}

/** `cpio -i .env < a.cpio`, `cpio -o -O a.cpio`, `cpio -p folder`. */
function cpio(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "FHEOIDRf directory file");
  const folder = optionValue(parsed, "-D", "--directory");
  const archive =
    optionValue(parsed, "-O") ?? (has(parsed, "-o", "--create") ? optionValue(parsed, "-F") : null);
  if (archive !== null)
    touch(call, "write", archive, "cpio writes its archive", { keeps: has(parsed, "-A") });
  if (has(parsed, "-p", "--pass-through")) copiesInto(call, parsed.operands.at(-1));
  if (has(parsed, "-t", "--list", "--to-stdout", "-o", "--create")) return;
  if (folder !== null)
    touch(call, "write", folder, "cpio unpacks into a folder", { tree: true, keeps: true });
  if (has(parsed, "-i", "--extract")) picks(call, parsed.operands, folder);
}

/** `pax -r -f a.tar .env`, `pax -w -f a.tar src`, `pax -rw src folder`. */
function pax(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "bBfopsTUxE");
  const [reads, writes] = [has(parsed, "-r"), has(parsed, "-w")];
  const archive = optionValue(parsed, "-f");
  if (reads && writes) copiesInto(call, parsed.operands.at(-1));
  else if (reads) picks(call, parsed.operands, null);
  else if (writes && archive !== null)
    touch(call, "write", archive, "pax writes its archive", { keeps: has(parsed, "-a") });
}

function copiesInto(call: Call, target: string | undefined): void {
  if (target !== undefined)
    touch(call, "write", target, "files are copied below it", { tree: true, keeps: true });
}

/** Members of an archive, also by patterns; one may be a folder. */
function picks(call: Call, members: readonly string[], folder: string | null): void {
  for (const member of members) {
    const path = folder === null ? member : `${folder}/${member}`;
    touch(call, "write", globbed(path), "the member is unpacked", { tree: true });
  }
}

/** `ar x a.a member`, `ar rcs a.a x.o`. */
function ar(call: Call): void {
  const [verb = "", archive, ...members] = call.argv.slice(1);
  if (archive === undefined) return;
  if (/^-?\w*x/.test(verb)) picks(call, members, null);
  else if (/^-?\w*[rqdms]/.test(verb))
    touch(call, "write", archive, "ar writes its archive", { keeps: true });
}

/** `unar -o folder a.rar`. */
function unar(call: Call): void {
  const folder = optionValue(
    readOptions(call.argv.slice(1), "opeEf output-directory"),
    "-o",
    "--output-directory",
  );
  if (folder !== null)
    touch(call, "write", folder, "unar unpacks into the folder", { tree: true, keeps: true });
}
