import type { Call } from "../model.ts";
import { has, optionValue, readOptions } from "../options.ts";
import { bring, touch } from "../record.ts";

/** Packers beside tar and unzip that unpack as well. */
export const packers: Readonly<Record<string, (call: Call) => void>> = {
  "7z": sevenZip,
  "7za": sevenZip,
  "7zr": sevenZip,
  "7zz": sevenZip,
  jar,
  tarfile: pythonModule,
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
