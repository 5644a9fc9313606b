import { realpathSync } from "node:fs";

/** The command that started this process, so that a stage runs the same Holdfast. */
export function self(): string[] {
  return [process.execPath, realpathSync(process.argv[1] ?? "")];
}
