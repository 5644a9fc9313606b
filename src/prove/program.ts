import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** Absolute path of a program on the given PATH, or null. Entries that are not absolute are not looked at. */
export function findProgram(name: string, path: string | undefined): string | null {
  for (const folder of (path ?? "").split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

/** True for a file that may be run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The folder a program was found in and, when that is a link, the folder it really lives in. */
export function foldersOf(program: string): string[] {
  return [...new Set([dirname(program), dirname(realpathSync(program))])];
}

/**
 * Folders of the programs every stage needs besides the agent: the Node and the git the person's own
 * terminal would find, and the Node that runs Holdfast.
 */
export function toolFolders(path: string | undefined): string[] {
  const found = ["node", "git"].map((name) => findProgram(name, path)).filter((file) => file !== null);
  return [...found.map((file) => dirname(file)), dirname(process.execPath)];
}
