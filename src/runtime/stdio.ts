import { readSync, writeSync } from "node:fs";

/** Bytes read from stdin at most; the rest is left unread. Beyond that only the head is judged. */
const most = 256 * 1024 * 1024;

/**
 * What an agent sends on stdin: up to the end of its one JSON object, since not everybody closes the pipe behind it,
 * or up to the end of stdin where it is no such object. A closed or unreadable stdin reads as empty.
 */
export function readStdin(): Buffer {
  const full: Buffer[] = [];
  let chunk = Buffer.allocUnsafe(64 * 1024);
  let used = 0;
  let size = 0;
  let looksLeft = mostLooks;
  while (size < most) {
    const count = readChunk(chunk.subarray(used));
    if (count <= 0) break;
    used += count;
    size += count;
    if (looksLeft > 0 && endsInBrace(chunk.subarray(0, used))) {
      looksLeft--;
      if (isObject(joined(full, chunk.subarray(0, used)))) break;
    }
    if (used < chunk.length) continue;
    full.push(chunk);
    chunk = Buffer.allocUnsafe(Math.min(chunk.length * 4, 8 * 1024 * 1024));
    used = 0;
  }
  return joined(full, chunk.subarray(0, used));
}

/** How often a text that goes on is looked at for its end at most: a look takes as long as parsing. */
const mostLooks = 4;

function joined(full: readonly Buffer[], last: Buffer): Buffer {
  return full.length === 0 ? last : Buffer.concat([...full, last]);
}

function endsInBrace(bytes: Buffer): boolean {
  let last = bytes.length - 1;
  while (last > 0 && (bytes[last] ?? 0) <= 0x20) last--;
  return bytes[last] === 0x7d;
}

function isObject(bytes: Buffer): boolean {
  if (bytes.length > mostParsed) return false;
  try {
    JSON.parse(bytes.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

/** Bytes that are parsed here at most. */
const mostParsed = 4 * 1024 * 1024;

function readChunk(into: Buffer): number {
  for (;;) {
    try {
      return readSync(0, into, 0, into.length, null);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // A pipe in non-blocking mode has nothing to give yet.
      if (code === "EAGAIN") {
        pause();
        continue;
      }
      return 0;
    }
  }
}

/** Writes all of `text`, also to a pipe that is full or in non-blocking mode; gives up when nobody reads. */
export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  let sent = 0;
  while (sent < bytes.length) {
    try {
      sent += writeSync(fd, bytes, sent);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      pause();
    }
  }
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
}
