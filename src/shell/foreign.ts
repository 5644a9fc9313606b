import type { Call, Stream } from "./model.ts";
import { cmdletName, runCmdlet } from "./windows/cmdlet.ts";

/**
 * What is not the shell's own language: programs in other languages, the commands of editors, PowerShell, cmd; rare
 * packers; and texts too large to follow. Few commands have any of it, so in the bundles it is a part of its own, loaded
 * when it is first called (see `scripts/build.mjs`).
 */
export { runInterpreter } from "./code/interpreter.ts";
export { noteNamed, onlyDocuments } from "./oversized.ts";
export { edInput, editor } from "./tools/editors.ts";
export { unpack } from "./tools/unpack.ts";
export { runPowerShell } from "./windows/walk.ts";

/** Runs a cmdlet that stands in a shell's text; null for any other program. */
export function runIfCmdlet(call: Call, name: string): Stream | null {
  const cmdlet = cmdletName(name);
  return cmdlet === null ? null : runCmdlet(call, cmdlet);
}
