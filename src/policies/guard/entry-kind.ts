import type { Files } from "../context.ts";

/** Also what a link leads to; false where there is nothing. */
export function isFolder(path: string, files: Files): boolean {
  return files.exists(`${path}/.`);
}

/**
 * A folder, a file or a link; what is not there counts as a file.
 * @param through a link counts as what it leads to, unless that is not there
 */
export function kindOfEntry(path: string, files: Files, through = false): "d" | "f" | "l" {
  if (files.isLink(path) && !(through && files.exists(path))) return "l";
  return isFolder(path, files) ? "d" : "f";
}
