import { readSync, writeSync } from "node:fs";

/** Bytes read from stdin at most; the rest is left unread. Beyond that only the head is judged. */
const most = 256 * 1024 * 1024;

/** All of stdin. A closed or unreadable stdin reads as empty. */
export function readStdin(): Buffer {
  const full: Buffer[] = [];
  let chunk = Buffer.allocUnsafe(64 * 1024);
  let used = 0;
  let size = 0;
  while (size < most) {
    const count = readChunk(chunk.subarray(used));
    if (count <= 0) break;
    used += count;
    size += count;
    if (used < chunk.length) continue;
    full.push(chunk);
    chunk = Buffer.allocUnsafe(Math.min(chunk.length * 4, 8 * 1024 * 1024));
    used = 0;
  }
  const last = chunk.subarray(0, used);
  return full.length === 0 ? last : Buffer.concat([...full, last], size);
}

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
