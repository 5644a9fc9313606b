import { defaultSettings, type Settings } from "../core/settings.ts";

/**
 * What still holds of a manifest that does not parse: the files that its `protect` section names, where that section
 * parses by itself. They only ever add to the built-in ones, so that a slip elsewhere in the file takes no
 * protection away, and nothing that might have been meant otherwise loosens any. Null when there is nothing.
 *
 * @param read reads a text as a manifest of its own; null when it does not parse or has errors
 */
export function salvage(text: string, read: (section: string) => Settings | null): Settings | null {
  const found = protectSections(text).flatMap((section) => read(section)?.protect ?? []);
  const { protect } = defaultSettings;
  const paths = [...new Set([...protect.paths, ...found.flatMap((one) => one.paths)])];
  const reads = [...new Set([...protect.reads, ...found.flatMap((one) => one.reads)])];
  const more = paths.length > protect.paths.length || reads.length > protect.reads.length;
  return more ? { ...defaultSettings, protect: { ...protect, paths, reads } } : null;
}

/** From `protect:` at the start of a line to the next line that starts with a key. */
function protectSections(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.flatMap((line, start) => {
    if (!/^(["']?)protect\1\s*:/.test(line)) return [];
    const length = lines.slice(start + 1).findIndex((next) => /^[^\s#]/.test(next));
    return [lines.slice(start, length < 0 ? undefined : start + 1 + length).join("\n")];
  });
}
