/** Lines and characters shown of test output. */
const mostLines = 40;
const mostChars = 6_000;
const mostLineChars = 500;

/** The last lines of an output, readable: no colours, no overwritten progress lines, bounded in size. */
export function tailOf(output: string, lines = mostLines): string {
  const all = plain(output).trimEnd().split("\n");
  const last = all.slice(-lines).map(shorten);
  let size = last.reduce((sum, line) => sum + line.length + 1, 0);
  while (size > mostChars && last.length > 1) size -= (last.shift()?.length ?? 0) + 1;
  return last.length < all.length
    ? `[… ${all.length - last.length} lines before]\n${last.join("\n")}`
    : last.join("\n");
}

/** Without escape sequences and other control characters; of a line written over with `\r`, what stood last. */
export function plain(output: string): string {
  return output
    .replace(/\r\n/g, "\n")
    .replace(/\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-?]*[ -/]*[@-~]|\u001b[@-Z\\-_]/g, "")
    .replace(/^.*\r(?!$)/gm, "")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}

function shorten(line: string): string {
  return line.length > mostLineChars ? `${line.slice(0, mostLineChars)}…` : line;
}
