import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { decode } from "./edit/text.ts";

/**
 * The exact change to one file as a unified diff. `name` is the path as shown to the person; null bytes mean
 * that there is no file on that side.
 */
export function unifiedDiff(name: string, before: Buffer | null, after: Buffer | null): string {
  return createTwoFilesPatch(
    before === null ? "/dev/null" : name,
    after === null ? "/dev/null" : name,
    before === null ? "" : decode(before).text,
    after === null ? "" : decode(after).text,
    undefined,
    undefined,
    { context: 3, headerOptions: FILE_HEADERS_ONLY },
  );
}

/** A path as people write it: relative to the project, or with `~`. */
export function shortPath(file: string, root: string | null, home: string): string {
  if (root !== null && file.startsWith(`${root}/`)) return file.slice(root.length + 1);
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}
