import { globbed, SOME } from "../marks.ts";
import { type Call, copyScope, noText, type Stream, single, textStream, unknownText } from "../model.ts";
import { absolute, baseOf } from "../place.ts";
import { fact, recordStep, touch } from "../record.ts";
import { noteOrigin } from "../shells.ts";
import { copiedInto } from "../tools/copy.ts";
import { isAway } from "../tools/fetch.ts";
import { setByItem } from "./environment.ts";
import { chosenItems, listItems, namedItems, parentItem, renameItems } from "./listing.ts";
import { anywhere, windowsPath } from "./names.ts";
import { openStream } from "./net.ts";
import { memberCall } from "./objects.ts";
import { type Arguments, flagged, parameter, readArguments } from "./parameters.ts";
import { powershell } from "./powershell.ts";
import { startProcess } from "./start.ts";

/** The cmdlet a program name stands for in bash text; null for other programs. */
export function cmdletName(name: string): string | null {
  const lower = name.toLowerCase();
  if (Object.hasOwn(anywhere, lower)) return anywhere[lower] ?? null;
  const known = Object.hasOwn(cmdlets, lower) || exports.test(lower);
  return known && lower.includes("-") ? lower : null;
}

/** `Export-Csv`, `Export-PfxCertificate`: each writes the file it is told. */
const exports = /^(?:export|save)-[a-z]+$/;

/** Runs a cmdlet, or the cmd command that does the same. */
export function runCmdlet(call: Call, name: string): Stream {
  // `sc` is both a short name and the program that controls services.
  if (
    name === "set-content" &&
    /^(?:delete|stop|start|config|query|create|qc|failure|pause)$/i.test(call.argv[1] ?? "")
  ) {
    recordStep({ ...call, argv: ["sc", ...call.argv.slice(1)] }, "sc");
    return unknownText;
  }
  const given = { ...call, argv: [name, ...call.argv.slice(1)] };
  recordStep(given, name);
  const cmdlet = Object.hasOwn(cmdlets, name)
    ? cmdlets[name]
    : exports.test(name)
      ? writes(false, "filepath", "path", "literalpath", "outfile")
      : undefined;
  const args = readArguments(call.argv.slice(1));
  if (cmdlet === undefined || flagged(args, "whatif")) return unknownText;
  return cmdlet(given, args) ?? noText;
}

type Cmdlet = (call: Call, args: Arguments) => Stream | null;

const writes =
  (keeps: boolean, ...names: readonly string[]): Cmdlet =>
  (call, args) => {
    for (const path of pathsOf(args, 0, ...names)) {
      touch(call, "write", path, `${call.argv[0]} writes its path`, { keeps });
    }
    return noText;
  };

/** By their names in small letters. */
export const cmdlets: Readonly<Record<string, Cmdlet>> = {
  "set-content": writes(false, "path", "literalpath"),
  "add-content": writes(true, "path", "literalpath"),
  "clear-content": writes(false, "path", "literalpath"),
  "out-file": writes(false, "filepath", "literalpath", "path"),
  "tee-object": writes(false, "filepath", "literalpath"),
  "start-transcript": writes(true, "path", "literalpath"),
  "new-item": (call, args) => {
    if (setByItem(call, args)) return noText;
    const name = parameter(args, "name");
    const folders = pathsOf(args, 0, "path");
    const paths =
      name === null ? folders : folders.length === 0 ? [name] : folders.map((folder) => `${folder}/${name}`);
    for (const path of paths)
      touch(call, "write", windowsPath(path), "New-Item makes it", {
        keeps: !flagged(args, "force") || /^d/i.test(parameter(args, "itemtype") ?? ""),
      });
    return noText;
  },
  "remove-item": removeItem,
  "move-item": (call, args) => transfer(call, args, true),
  "copy-item": (call, args) => transfer(call, args, false),
  "rename-item": (call, args) => renameItems(call, args, pathsOf(args, 0, "path", "literalpath")),
  "new-object": (call, args) => {
    const written = [parameter(args, "typename"), ...args.operands, parameter(args, "argumentlist")].join(
      " ",
    );
    const [, type = "", list = ""] = /^\s*([\w.]+)[\s(]*([\s\S]*?)\)?\s*$/.exec(written) ?? [];
    openStream(call, type, list);
    return unknownText;
  },
  "set-itemproperty": writes(true, "path", "literalpath"),
  "join-path": (_call, args) =>
    textStream(
      `${[parameter(args, "path"), parameter(args, "childpath"), ...args.operands]
        .filter((part) => part !== null)
        .map(windowsPath)
        .join("/")}\n`,
    ),
  "set-location": changeFolder,
  "push-location": (call, args) => {
    call.scope.back.push(call.scope.cwd);
    return changeFolder(call, args);
  },
  "pop-location": (call) => {
    call.scope.cwd = call.scope.back.pop() ?? call.scope.cwd;
    return noText;
  },
  "invoke-webrequest": request,
  "invoke-restmethod": request,
  "start-bitstransfer": (call, args) => {
    const target = parameter(args, "destination") ?? args.operands[1];
    if (target !== undefined && target !== null) save(call, target);
    return noText;
  },
  "expand-archive": (call, args) => {
    const target = parameter(args, "destinationpath") ?? args.operands[1];
    if (target !== undefined && target !== null)
      touch(call, "write", windowsPath(target), "Expand-Archive unpacks into it", {
        tree: true,
        keeps: true,
      });
    return noText;
  },
  "compress-archive": (call, args) => {
    const target = parameter(args, "destinationpath") ?? args.operands[1];
    if (target !== undefined && target !== null)
      touch(call, "write", windowsPath(target), "Compress-Archive writes it");
    return noText;
  },
  "invoke-expression": (call, args) => {
    const text = args.operands[0] ?? parameter(args, "command");
    const piped = call.stdin.text !== "";
    const code = piped || text === undefined || text === null ? call.stdin : textStream(text);
    if (/downloadstring|invoke-webrequest|invoke-restmethod|\biwr\b|\birm\b|https?:\/\//i.test(code.text))
      fact(call, "runs-network-code");
    if (/frombase64string/i.test(code.text)) fact(call, "runs-decoded-code");
    noteOrigin(call, code);
    return call.run.engine.windows(call, code.text, call.scope, noText);
  },
  "invoke-command": (call, args) => runBlocks(call, args),
  "start-job": (call, args) => runBlocks(call, args),
  "foreach-object": (call, args) => runBlocks(call, args),
  "where-object": chosenItems,
  "get-item": (_call, args) => namedItems(args),
  "get-wmiobject": (_call, args) => textStream(parameter(args, "class") ?? args.operands[0] ?? ""),
  "get-ciminstance": (_call, args) => textStream(parameter(args, "classname") ?? args.operands[0] ?? ""),
  "resolve-path": (_call, args) => namedItems(args),
  "convert-path": (_call, args) => namedItems(args),
  "split-path": (call, args) => parentItem(call, args),
  "set-item": (call, args) => {
    setByItem(call, args);
    return noText;
  },
  "get-location": (call) => textStream(`${call.scope.cwd}\n`),
  "new-itemproperty": writes(true, "path", "literalpath"),
  "start-process": startProcess,
  "write-output": (_call, args) => textStream(`${args.operands.join(" ")}\n`),
  "write-host": () => noText,
  "get-content": (call, args) => {
    const path = pathsOf(args, 0, "path", "literalpath")[0];
    return path === undefined
      ? call.stdin
      : (call.scope.files.get(absolute(call.scope.cwd, path)) ?? unknownText);
  },
  "get-childitem": (_call, args) => listItems(args),
  powershell,
  cmd: (call, args) => {
    const at = call.argv.findIndex((word) => /^\/{1,2}[ckr]$/i.test(word));
    if (at < 0 && args.operands.length === 0) noteOrigin(call, call.stdin);
    if (at < 0)
      return args.operands.length > 0
        ? noText
        : call.run.engine.windows(call, call.stdin.text, call.scope, noText);
    return call.run.engine.windows(
      call,
      call.argv.slice(at + 1).join(" "),
      copyScope(call.scope),
      call.stdin,
    );
  },
  robocopy: (call, args) => {
    const target = args.operands[1];
    if (target === undefined || flagged(args, "l")) return noText;
    if (flagged(args, "mir", "purge"))
      touch(call, "delete", windowsPath(target), "robocopy /MIR empties its target", { tree: true });
    touch(call, "write", windowsPath(target), "robocopy writes into its target", { tree: true, keeps: true });
    if (flagged(args, "mov", "move"))
      touch(call, "move", windowsPath(args.operands[0] ?? ""), "robocopy moves its source", { tree: true });
    return noText;
  },
  mklink: (call, args) => {
    touch(call, "write", windowsPath(args.operands[0] ?? ""), "mklink makes a link", { keeps: true });
    return noText;
  },
  bitsadmin: (call, args) => {
    const file = args.operands.at(-1);
    if (flagged(args, "transfer", "addfile") && args.operands.length > 1 && file !== undefined)
      save(call, file);
    return noText;
  },
  certutil: (call, args) => {
    const words = call.argv.slice(1).filter((word) => !/^[-/]/.test(word));
    const file = words.at(-1);
    if (!flagged(args, "urlcache", "decode", "decodehex", "encode") || words.length < 2 || file === undefined)
      return noText;
    if (flagged(args, "urlcache")) save(call, file);
    else touch(call, "write", windowsPath(file), "certutil writes its last argument");
    return noText;
  },
};

function changeFolder(call: Call, args: Arguments): Stream {
  const target = args.operands.find((word) => !/^\/d$/i.test(word)) ?? parameter(args, "path", "literalpath");
  if (target !== null && target !== undefined) call.scope.cwd = absolute(call.scope.cwd, windowsPath(target));
  return noText;
}

function pathsOf(args: Arguments, position: number, ...names: readonly string[]): string[] {
  const named = parameter(args, ...names);
  const paths = (named ?? args.operands[position])?.split(/[,\n]/) ?? [];
  return paths.map((path) => windowsPath(globbed(path.trim())));
}

function removeItem(call: Call, args: Arguments): Stream {
  const named = parameter(args, "path", "literalpath");
  // The items of a list are words of their own: `-Path a, b`.
  const written = [...(named === null ? [] : [named]), ...args.operands].flatMap((word) =>
    word.split(/[,\n]/),
  );
  const items = written.length === 0 ? call.stdin.text.split("\n").filter((line) => line !== "") : written;
  const tree = flagged(args, "recurse", "s", "rf", "fr");
  const only = parameter(args, "include", "filter");
  for (const item of items) {
    if (/^(?:env|function|alias|variable|cert):/i.test(item)) continue;
    const path = windowsPath(globbed(item.trim()));
    touch(call, "delete", only === null ? path : `${path}/${globbed(only)}`, "the item is deleted", {
      tree: tree && only === null,
    });
  }
  return noText;
}

function transfer(call: Call, args: Arguments, moves: boolean): Stream {
  const named = parameter(args, "path", "literalpath");
  const operands = args.operands.map((word) => windowsPath(globbed(word)));
  const many = named === null && operands.length > 2;
  const sources =
    named === null
      ? operands.slice(0, many ? -1 : 1)
      : named.split(",").map((path) => windowsPath(globbed(path)));
  const given =
    parameter(args, "destination") ??
    (named === null ? operands[many ? operands.length - 1 : 1] : operands[0]);
  const items = sources.length === 0 ? call.stdin.text.split("\n").filter((line) => line !== "") : sources;
  if (moves) for (const item of items) touch(call, "move", item, "the item is moved away", { tree: true });
  if (given === undefined) return noText;
  const path = windowsPath(given);
  const intoTemp = call.run.world.tmp.includes(absolute(call.scope.cwd, path));
  const target = intoTemp || /(?:^|\/)\.{1,2}$/.test(path) ? `${path}/` : path;
  touch(call, "write", target, "the target is written", {
    tree: flagged(args, "recurse", "s", "e"),
    keeps: target !== path,
  });
  if (target.endsWith("/"))
    for (const item of items) touch(call, "write", `${target}${baseOf(item)}`, copiedInto);
  return noText;
}

function request(call: Call, args: Arguments): Stream {
  const url = parameter(args, "uri", "url") ?? args.operands[0] ?? "";
  const target = parameter(args, "outfile", "o");
  if (/^delete$/i.test(parameter(args, "method") ?? "") && isAway(url)) fact(call, "http-delete");
  if (target === null) return { text: SOME, from: "network" };
  save(call, target);
  return noText;
}

function save(call: Call, target: string): void {
  const path = windowsPath(target);
  touch(call, "write", path, "the download is saved");
  call.scope.files.set(absolute(call.scope.cwd, path), { text: SOME, from: "network" });
}

function runBlocks(call: Call, args: Arguments): Stream {
  memberCall(call, call.stdin.text, parameter(args, "membername") ?? args.operands[0] ?? "");
  const text = [...args.operands, parameter(args, "scriptblock", "process") ?? ""].join("\n");
  const blocks = [...text.matchAll(/\{([\s\S]*)\}/g)].map((found) => found[1] ?? "");
  const scope = copyScope(call.scope);
  const items = call.stdin.text.split("\n").filter((line) => line !== "");
  let output = noText;
  for (const item of items.length === 0 ? [SOME] : items.slice(0, 16)) {
    scope.vars.set("ps:_", single(item));
    scope.vars.set("ps:psitem", single(item));
    for (const block of blocks) output = call.run.engine.windows(call, block, scope, noText);
  }
  return output;
}
