import { readSync, writeSync } from "node:fs";

/** Bytes read from stdin at most; the rest is left unread. Beyond that only the head is judged. */
const most = 256 * 1024 * 1024;

/** All of stdin. A closed or unreadable stdin reads as empty. */
export function readStdin(): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  let chunk = Buffer.allocUnsafe(64 * 1024);
  while (size < most) {
    const count = readChunk(chunk);
    if (count <= 0) break;
    chunks.push(chunk.subarray(0, count));
    size += count;
    chunk = Buffer.allocUnsafe(Math.min(size + 64 * 1024, 4 * 1024 * 1024));
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
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
