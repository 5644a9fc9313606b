/**
 * The glob that matches the 8.3 short names Windows may give to what a glob's segment names, e.g.
 * `migrations` → `migrat~[0-9]`, `.env.*` → `env~[0-9].*`. Null when such a name has none of its own:
 * it is short enough already, or its first letters are a wildcard.
 */
export function shortNameGlob(segment: string): string | null {
  if (segment === "**" || /[[{?]/.test(segment)) return null;
  const isDotted = segment.startsWith(".");
  const bare = segment.replace(/^\.+/, "");
  const dot = bare.lastIndexOf(".");
  const stem = (dot < 0 ? bare : bare.slice(0, dot)).replace(/[. ]/g, "");
  const extension = dot < 0 ? "" : bare.slice(dot + 1);
  if (stem === "" || stem.includes("*") || (/\*./.test(extension) && extension !== "*")) return null;
  if (!isDotted && stem.length <= 8 && extension.length <= 3) return null;
  const tail = extension === "" ? "" : `.${extension.slice(0, 3)}`;
  return `${stem.slice(0, 6)}~[0-9]${tail}`;
}
