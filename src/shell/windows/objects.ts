import type { Call } from "../model.ts";
import { fact, recordStep, touch } from "../record.ts";
import { windowsPath } from "./names.ts";

/** `$item.Delete()`, with what the variable holds. */
export function memberCall(call: Call, on: string, method: string): void {
  if (!/^(?:delete|moveto)$/i.test(method)) return;
  for (const item of on.split("\n").filter((line) => line !== "")) {
    if (/win32_shadowcopy/i.test(item)) {
      deletesShadows(call);
      continue;
    }
    recordStep(call, `${method}()`);
    const action = /^d/i.test(method) ? "delete" : "move";
    touch(call, action, windowsPath(item), `${method}() takes it away`, { tree: true });
  }
}

/** `([IO.FileInfo]'a').Delete()`, `(Get-Process node).Kill()`: what is called on an object made in brackets. */
export function bracketCalls(call: Call, text: string): void {
  for (const found of text.matchAll(
    /\((?:(?:Get-Item|gi|Get-ChildItem|gci|ls|dir)\s+([^)]+)|\[(?:System\.)?IO\.(?:File|Directory)Info\]\s*["']([^"']+)["'])\)\.(?:Delete|MoveTo)\(/gi,
  )) {
    const path =
      (found[1] ?? found[2] ?? "")
        .split(",")[0]
        ?.trim()
        .replace(/^(["'])(.*)\1$/, "$2") ?? "";
    recordStep(call, "Delete()");
    touch(call, "delete", windowsPath(path), "Delete() deletes the item", { tree: true });
  }
  for (const found of text.matchAll(/\.Delete(Folder|File)\(\s*["']?([^)"']*)/gi)) {
    recordStep(call, "FileSystemObject");
    touch(call, "delete", windowsPath(found[2] ?? ""), "it is deleted", {
      tree: /folder/i.test(found[1] ?? ""),
    });
  }
  const process = /\((?:Get-Process|gps|ps)\s+(?!-Id)([^)]+)\)\.Kill\(/i.exec(text)?.[1];
  if (process !== undefined) recordStep({ ...call, argv: ["stop-process", process] }, "stop-process");
  if (/win32_shadowcopy\W{1,3}\.?Delete\(/i.test(text)) deletesShadows(call);
  if (/win32_operatingsystem\W{1,3}\.?(?:Reboot|Shutdown|Win32Shutdown)\(/i.test(text))
    recordStep({ ...call, argv: ["restart-computer"] }, "restart-computer");
  if (/Win32\.Registry|RegistryKey/i.test(text) && /\.Delete(?:SubKey|Value)/i.test(text))
    recordStep({ ...call, argv: ["reg", "delete"] }, "reg");
  if (/\]::Load\(/i.test(text) && /FromBase64String|DownloadData/i.test(text)) {
    recordStep(call, "Assembly");
    fact(call, "runs-decoded-code");
  }
}

/** `[Environment]::SetEnvironmentVariable('X', 'y')`; null where nothing of the kind is called. */
export function setsEnvironment(text: string): readonly [name: string, value: string] | null {
  const found =
    /\[(?:System\.)?Environment\]::SetEnvironmentVariable\(\s*["'](\w+)["']\s*,\s*["']([^"']*)["']/i.exec(
      text,
    );
  return found === null ? null : [found[1] ?? "", found[2] ?? ""];
}

function deletesShadows(call: Call): void {
  recordStep({ ...call, argv: ["vssadmin", "delete", "shadows"] }, "vssadmin");
}
