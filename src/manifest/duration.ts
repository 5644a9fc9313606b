const unitMs = { h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** Milliseconds of `9m`, `30s`, `1h30m` or a plain number of seconds; null for anything else. */
export function parseDuration(written: string): number | null {
  const text = written.trim();
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Math.round(Number(text) * 1000);
  const parts = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6})s)?$/i.exec(text);
  if (text === "" || parts === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = parts;
  return Number(hours) * unitMs.h + Number(minutes) * unitMs.m + Number(seconds) * unitMs.s;
}

/** The same, and days: `7d`. */
export function parseSpan(written: string): number | null {
  const days = /^\s*(\d{1,6})d\s*$/i.exec(written)?.[1];
  return days === undefined ? parseDuration(written) : Number(days) * 24 * unitMs.h;
}

/** The shortest way to write a duration, e.g. `1h30m`; parts below a second are rounded up. */
export function formatDuration(ms: number): string {
  let rest = Math.ceil(ms / 1000);
  const hours = Math.floor(rest / 3600);
  rest -= hours * 3600;
  const minutes = Math.floor(rest / 60);
  const seconds = rest - minutes * 60;
  const text = `${hours > 0 ? `${hours}h` : ""}${minutes > 0 ? `${minutes}m` : ""}${seconds > 0 ? `${seconds}s` : ""}`;
  return text === "" ? "0s" : text;
}
