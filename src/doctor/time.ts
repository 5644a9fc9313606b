/** How long ago, in the largest unit that fits: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ago`;
  return `${Math.floor(hours / 24)} days ago`;
}

/** The moment itself, to the minute and in UTC, as the records have it: `2026-11-30 17:02 UTC`. */
export function clock(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Older records are history: what caused them has likely been mended since. Milliseconds. */
export const recentMs = 7 * 24 * 3_600_000;
