import { noteFetched } from "../fetched.ts";
import { hasGlob, isKnown, NOWHERE, STAR } from "../marks.ts";
import { type Call, copyScope, textStream } from "../model.ts";
import { has, optionValue, type Parsed, readOptions } from "../options.ts";
import { absolute, baseOf, parentOf } from "../place.ts";
import { bring, noteLink, touch } from "../record.ts";

/** Sources and target of a command of the `cp` kind. */
interface Transfer {
  readonly sources: readonly string[];
  readonly target: string | null;
  /** The target is certainly a folder. */
  readonly folder: boolean;
}

const copyOptions = "tS target-directory suffix";

export function copy(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), copyOptions);
  const keeps = has(parsed, "-n", "--no-clobber");
  const transfer = transferOf(parsed);
  for (const source of transfer.sources) touch(call, "read", source, "cp reads its sources");
  writeTarget(call, transfer, "cp writes its target", { keeps, tree: isRecursive(parsed) });
  carryText(call, transfer);
  if (has(parsed, "--parents"))
    for (const source of transfer.sources)
      touch(call, "write", `${transfer.target}/${source}`, "cp --parents", {
        keeps,
        tree: isRecursive(parsed),
      });
  if (isRecursive(parsed)) carryTree(call, transfer, copiedInto);
  if (!keeps) bringAll(call, transfer, { deep: isRecursive(parsed), exact: isExact(parsed) });
  keepOld(call, parsed, transfer);
  const symbolic = has(parsed, "-s", "--symbolic-link");
  if (symbolic || has(parsed, "-l", "--link")) noteLinks(call, transfer, symbolic);
}

export function move(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), copyOptions);
  const transfer = transferOf(parsed);
  for (const source of transfer.sources) {
    if (transfer.target === "/dev/null")
      touch(call, "delete", source, "mv drops its sources into nothing", { tree: true });
    touch(call, "move", source, "mv moves its sources away", { tree: true });
  }
  writeTarget(call, transfer, "mv writes its target", { keeps: false, tree: true });
  carryText(call, transfer);
  carryTree(call, transfer, "mv writes its target");
  // A folder does not go over one that holds something.
  if (!has(parsed, "-n", "--no-clobber")) bringAll(call, transfer, { deep: false, exact: isExact(parsed) });
  keepOld(call, parsed, transfer);
}

/** What comes along with whole folders, and with patterns. A file that is named is known without looking. */
function bringAll(
  call: Call,
  { sources, target, folder }: Transfer,
  { deep, exact }: { readonly deep: boolean; readonly exact: boolean },
): void {
  if (target === null) return;
  const into = folder || /(?:^|\/)\.{1,2}$/.test(target);
  for (const source of sources) {
    if (!deep && !hasGlob(source)) continue;
    const contents = exact || /(?:^|\/)\.{1,2}\/?$/.test(source);
    const how = contents ? "as" : into || hasGlob(source) ? "below" : "below-folder";
    bring(call, source, target, how, { deep, leaves: "rsync -a --exclude=" });
  }
}

/** `-b`, `-S .old`: what was there gets another name. */
function keepOld(call: Call, parsed: Parsed, { sources, target }: Transfer): void {
  const suffix = optionValue(parsed, "-S", "--suffix");
  if (target === null || (suffix === null && !has(parsed, "-b", "--backup"))) return;
  for (const end of suffix === null ? ["~", `.~${STAR}~`] : [suffix]) {
    touch(call, "write", `${target}${end}`, "a backup of the target");
    for (const source of sources) touch(call, "write", `${target}/${baseOf(source)}${end}`, "a backup");
  }
}

export function link(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "tS target-directory suffix");
  const transfer = transferOf(parsed);
  const keeps = !has(parsed, "-f", "--force");
  const lone = transfer.sources.length === 0 ? transfer.target : null;
  const made = lone === null ? transfer : { sources: [lone], target: baseOf(lone), folder: false };
  writeTarget(call, made, "ln makes a link", { keeps, replaces: true });
  carryText(call, made);
  noteLinks(call, made, has(parsed, "-s", "--symbolic") && !has(parsed, "-r", "--relative"));
}

/** What this command line wrote, or a program of the system, may be run under its new name. */
function carryText(call: Call, { sources, target, folder }: Transfer): void {
  const { files, cwd } = call.scope;
  if (target === null || files.size > 64) return;
  for (const source of sources) {
    const text = systemProgram.test(source) ? textStream(`${source} "$@"`) : files.get(absolute(cwd, source));
    if (text === undefined) continue;
    files.set(absolute(cwd, `${target}/${baseOf(source)}`), text);
    if (!folder) files.set(absolute(cwd, target), text);
  }
}

/** Files that this command line put into a folder, when the folder is copied. */
function carryTree(call: Call, { sources, target }: Transfer, via: string): void {
  if (target === null) return;
  for (const source of sources) {
    const inside = /(?:^|\/)(?:\.|\uE002)?$/.test(source) || source.endsWith("/");
    const name = inside ? "" : `${baseOf(source)}/`;
    for (const below of madeIn(call, source.replace(/\/?(?:\.|\uE002)?$/, "")))
      if (!source.endsWith(STAR) || !below.startsWith(".")) {
        touch(call, "write", `${target}/${name}${below}`, via);
        if (!inside) touch(call, "write", `${target}/${below}`, via);
      }
  }
}

/** What this command line wrote below a folder, relative to it. */
export function madeIn({ run, scope }: Call, folder: string): string[] {
  const start = `${absolute(scope.cwd, folder === "" ? "." : folder)}/`;
  const made = run.touches.filter(
    ({ action, marked }) => action === "write" && isKnown(marked) && marked.startsWith(start),
  );
  return [...new Set(made.map(({ marked }) => marked.slice(start.length)))].slice(0, 32);
}

const systemProgram = /^(?:\/usr)?(?:\/local)?\/s?bin\/[\w.+-]+$/;

/** A symbolic link is read from the folder that it lies in. Whether the target is a folder, nobody knows. */
function noteLinks(call: Call, { sources, target, folder }: Transfer, symbolic: boolean): void {
  const { cwd } = call.scope;
  if (target === null) return;
  for (const source of sources) {
    const below = absolute(cwd, `${target}/${baseOf(source)}`);
    for (const link of folder ? [below] : [absolute(cwd, target), below])
      noteLink(call, link, absolute(symbolic ? parentOf(link) : cwd, source));
  }
}

export function install(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "tSmog target-directory suffix mode owner group");
  if (has(parsed, "-d", "--directory")) {
    for (const folder of parsed.operands)
      touch(call, "write", folder, "install makes folders", { keeps: true });
    return;
  }
  writeTarget(call, transferOf(parsed), "install writes its target");
  carryText(call, transferOf(parsed));
}

/** `scp host:file here`: a target on another machine is not ours. */
export function secureCopy(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), "PioFJlcSDX");
  const transfer = transferOf(parsed);
  if (transfer.target !== null && !isRemote(transfer.target)) {
    const via = `${call.argv[0]} writes its target`;
    writeTarget(call, transfer, via, { keeps: false, tree: has(parsed, "-r") });
    noteRemote(call, transfer);
  }
}

/** What comes from another machine is code from the network, if it is run. */
function noteRemote(call: Call, { sources, target }: Transfer): void {
  for (const source of sources.filter(isRemote)) {
    const name = baseOf(source.slice(source.indexOf(":") + 1));
    noteFetched(call.scope, `${target}/${name}`);
    if (target !== "." && target?.endsWith("/") === false) noteFetched(call.scope, target);
  }
}

/** `sftp` with a script on standard input: what it fetches is written here. */
export function fileTransfer(call: Call): void {
  secureCopy(call);
  for (const line of call.stdin.text.split("\n")) {
    const [verb = "", ...rest] = line
      .trim()
      .replace(/^[-@]+/, "")
      .split(/\s+/);
    const { operands } = readOptions(rest);
    if (/^(?:get|reget|mget)$/.test(verb) && operands[0] !== undefined) {
      const target = operands[1] ?? baseOf(operands[0]);
      writeTarget(call, { sources: operands.slice(0, 1), target, folder: false }, "sftp fetches a file");
    }
    if (verb === "rm" || verb === "rmdir")
      for (const path of operands) touch(remote(call), "delete", path, "sftp deletes it there");
  }
}

function remote(call: Call): Call {
  return { ...call, scope: copyScope(call.scope, { place: "remote", cwd: NOWHERE }) };
}

const rsyncOptions =
  "efTBM rsh filter exclude include exclude-from include-from files-from backup-dir suffix temp-dir chmod chown log-file partial-dir compare-dest link-dest copy-dest port password-file bwlimit timeout max-size min-size max-delete";

export function rsync(call: Call): void {
  const parsed = readOptions(call.argv.slice(1), rsyncOptions);
  if (has(parsed, "-n", "--dry-run", "--list-only") || parsed.operands.length < 2) return;
  const target = parsed.operands.at(-1) ?? "";
  const sources = parsed.operands.slice(0, -1);
  if (has(parsed, "--remove-source-files")) {
    for (const source of sources) touch(call, "move", source, "rsync removes its sources", { tree: true });
  }
  if (isRemote(target)) return;
  const deletes = parsed.options.some(([name]) => /^--del(?:ete.*)?$/.test(name));
  if (deletes) touch(call, "delete", target, "rsync --delete empties its target", { tree: true });
  const folder = target.endsWith("/") || sources.length > 1 || sources.some((source) => source.endsWith("/"));
  writeTarget(call, { sources, target, folder }, "rsync writes its target", { keeps: true, tree: folder });
  noteRemote(call, { sources, target, folder });
  carryTree(call, { sources, target, folder }, copiedInto);
  bringSynced(call, parsed, sources, target);
}

/** Filters that `rsync` reads from elsewhere are not known. */
function bringSynced(call: Call, parsed: Parsed, sources: readonly string[], target: string): void {
  const elsewhere = "-f --filter -F -C --cvs-exclude --exclude-from --include-from --files-from".split(" ");
  // `--exclude` is no short form of `--exclude-from`.
  if (parsed.options.some(([name]) => name === "--ignore-existing" || elsewhere.includes(name))) return;
  const filters = parsed.options.flatMap(([name, value]) =>
    name === "--exclude" ? [`-${value}`] : name === "--include" ? [`+${value}`] : [],
  );
  const deep = isRecursive(parsed);
  for (const source of sources.filter((one) => isLocal(one) && (deep || hasGlob(one)))) {
    const how = /(?:^|\/)(?:\.{1,2})?$/.test(source) ? "as" : "below";
    bring(call, source, target, how, { deep, filters, leaves: "--exclude=" });
  }
}

/** `[copy or move] source… target` of cloud and container tools; only a local target is written. */
export function transferLocal(call: Call, words: readonly string[], moves = false): void {
  const target = words.at(-1);
  if (target === undefined || words.length < 2) return;
  const sources = words.slice(0, -1);
  const via = `${call.argv[0]} writes its target`;
  if (moves)
    for (const source of sources.filter(isLocal)) touch(call, "move", source, "the source is moved away");
  if (isLocal(target))
    writeTarget(call, { sources, target, folder: false }, via, { keeps: false, tree: false });
}

function transferOf(parsed: Parsed): Transfer {
  const folder = optionValue(parsed, "-t", "--target-directory");
  const { operands } = parsed;
  if (folder !== null) return { sources: operands, target: folder, folder: true };
  const target = operands.at(-1) ?? null;
  const sources = operands.slice(0, -1);
  return {
    sources,
    target,
    folder: !isExact(parsed) && (sources.length > 1 || (target?.endsWith("/") ?? false)),
  };
}

/** How the files that a copy makes in a folder come about; their names are those of the sources. */
export const copiedInto = "a copy goes into the folder";

function writeTarget(
  call: Call,
  transfer: Transfer,
  via: string,
  how: { readonly keeps: boolean; readonly tree?: boolean; readonly replaces?: boolean } = { keeps: false },
): void {
  const { target, sources } = transfer;
  if (target === null || (sources.length === 0 && !transfer.folder)) return;
  // A target such as `.` or `..` is a folder however it is written; several sources need one.
  const into = transfer.folder || /(?:^|\/)\.{1,2}$/.test(target) || sources.some(hasGlob);
  const { keeps, replaces = false } = how;
  if (!transfer.folder) touch(call, "write", target, via, { keeps, replaces });
  if (transfer.folder || how.tree === true) touch(call, "write", target, via, { tree: true, keeps: true });
  if (!into) return;
  const inFolder = /^(?:cp|rsync|install) /.test(via) ? copiedInto : via;
  for (const source of sources) {
    const name = baseOf(source.slice(source.indexOf(":") + 1));
    if (name === "" || name === "." || name === "..") continue;
    touch(call, "write", `${target}/${name}`, inFolder, { keeps, replaces });
    if (how.tree === true) touch(call, "write", `${target}/${name}`, inFolder, { tree: true, keeps: true });
  }
}

function isExact(parsed: Parsed): boolean {
  return has(parsed, "-T", "--no-target-directory");
}

function isRecursive(parsed: Parsed): boolean {
  return has(parsed, "-r", "-R", "-a", "--recursive", "--archive");
}

function isRemote(path: string): boolean {
  return /^(?:[\w.@-]+|\[[^\]]+\]):(?!\\)/.test(path) || /^\w+:\/\//.test(path);
}

function isLocal(path: string): boolean {
  return !isRemote(path);
}
