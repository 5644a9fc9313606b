import { SOME } from "../marks.ts";
import { type Call, noText, type Stream } from "../model.ts";
import { absolute } from "../place.ts";
import { fact, recordStep, touch } from "../record.ts";
import { windowsPath } from "./names.ts";
import { bracketCalls } from "./objects.ts";

const writes = new Set(
  "writealltext writealllines writeallbytes create openwrite createtext appendalltext appendalllines appendtext createsymboliclink".split(
    " ",
  ),
);

/** `[IO.File]::WriteAllText("x", …)`, `(New-Object Net.WebClient).DownloadFile(…)` and their like. */
export function netCalls(call: Call, written: string): Stream {
  const text = written
    .replace(/\(\s*(?:Get-Location|gl|pwd)\s*\)(?:\.Path)?/gi, ".")
    .replace(/\(\s*Resolve-Path\s+["']?([^\s"'()]+)["']?\s*\)/gi, "$1")
    .replace(/\(\s*Join-Path\s+["']?([^\s"'()]+)["']?\s+["']?([^"'()]+?)["']?\s*\)/gi, "$1/$2");
  let output = noText;
  for (const found of text.matchAll(
    /\[(?:System\.)?IO\.(File|Directory|FileInfo|DirectoryInfo)\]::(\w+)\(\s*([^)]*)\)/gi,
  )) {
    const type = (found[1] ?? "").toLowerCase();
    const method = (found[2] ?? "").toLowerCase();
    const [first = "", second = ""] = argumentsOf(found[3] ?? "");
    recordStep(call, `[IO.${found[1]}]`);
    if (writes.has(method))
      touch(call, "write", first, `${found[2]}() writes its path`, { keeps: method.startsWith("append") });
    else if (method === "delete")
      touch(call, "delete", first, "Delete() deletes its path", { tree: type === "directory" });
    else if (method === "move" || method === "copy" || method === "replace") {
      if (method !== "copy") touch(call, "move", first, `${found[2]}() moves its source`, { tree: true });
      touch(call, "write", second, `${found[2]}() writes its target`);
    } else if (method === "open") openStream(call, "FileStream", found[3] ?? "");
    else if (method === "createdirectory") touch(call, "write", first, "the folder is made", { keeps: true });
  }
  for (const found of text.matchAll(/\[((?:System\.)?IO\.\w+)\]::new\(\s*([^)]*)\)/gi)) {
    recordStep(call, found[1] ?? "");
    openStream(call, found[1] ?? "", found[2] ?? "");
  }
  bracketCalls(call, text);
  const saved = /\.DownloadFile(?:Async)?\(\s*([^)]*)\)/i.exec(text);
  if (saved !== null) {
    recordStep(call, "WebClient");
    const path = argumentsOf(saved[1] ?? "")[1] ?? "";
    touch(call, "write", path, "the download is saved");
    call.scope.files.set(absolute(call.scope.cwd, path), { text: SOME, from: "network" });
  }
  if (/\.Download(?:String|Data)\(|HttpClient|WebRequest\]::Create/i.test(text))
    output = { text: "\uE001", from: "network" };
  runTexts(call, text);
  if (/FromBase64String\(/i.test(text))
    output = { text: "\uE001", from: output.from === "network" ? "network" : "decoder" };
  if (/TCPClient|Sockets\./i.test(text) && /GetStream|iex|Invoke-Expression/i.test(text)) {
    recordStep(call, "TCPClient");
    fact(call, "network-shell");
  }
  return output;
}

/** `[scriptblock]::Create('git push')`, `[Diagnostics.Process]::Start('git', 'push')`: a text that runs. */
function runTexts(call: Call, text: string): void {
  if (/\[scriptblock\]::Create\(/i.test(text)) {
    recordStep(call, "scriptblock");
    if (/\b(?:irm|iwr|curl|wget|Invoke-RestMethod|Invoke-WebRequest)\b|DownloadString/i.test(text))
      fact(call, "runs-network-code");
  }
  for (const found of text.matchAll(
    /(?:\[scriptblock\]::Create|\.(?:InvokeScript|NewScriptBlock))\(\s*(["'])([\s\S]*?)\1\s*\)/gi,
  ))
    call.run.engine.windows(call, found[2] ?? "", call.scope, noText);
  for (const found of text.matchAll(/\[(?:System\.)?Diagnostics\.Process\]::Start\(([^)]*)\)/gi))
    call.run.engine.windows(call, argumentsOf(found[1] ?? "").join(" "), call.scope, noText);
}

/** A stream that is opened for a file empties it, unless it is opened to read or to append. */
export function openStream(call: Call, type: string, list: string): void {
  if (!/(?:^|\.)(?:StreamWriter|FileStream)$/i.test(type)) return;
  const [path = "", mode = ""] = argumentsOf(list);
  if (/FileStream$/i.test(type) && !/create|append|truncate/i.test(mode)) return;
  touch(call, "write", path, `${type} opens it for writing`, { keeps: /append|true/i.test(mode) });
}

function argumentsOf(text: string): string[] {
  return text.split(",").map((part) => windowsPath(part.trim().replace(/^(["'])(.*)\1$/, "$2")));
}
