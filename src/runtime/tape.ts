/** Collects output of any length in bounded memory: the first `head` and the last `tail` bytes. */
export interface Tape {
  add(chunk: Buffer): void;
  read(): { readonly output: Buffer; readonly omitted: number };
}

/** Makes an empty tape. Sizes in bytes. */
export function createTape(head: number, tail: number): Tape {
  const first: Buffer[] = [];
  let firstSize = 0;
  let last: Buffer[] = [];
  let lastSize = 0;
  let dropped = 0;
  return {
    add(chunk) {
      const taken = Math.min(chunk.length, head - firstSize);
      // A copy, or a few kept bytes would hold on to the whole read buffer.
      if (taken > 0) first.push(Buffer.from(chunk.subarray(0, taken)));
      firstSize += taken;
      if (taken === chunk.length) return;
      last.push(chunk.subarray(taken));
      lastSize += chunk.length - taken;
      if (last.length > 1024) last = [Buffer.concat(last)];
      // Cut down only now and then, so that adding stays cheap.
      if (lastSize <= 2 * tail + 64 * 1024) return;
      const joined = Buffer.concat(last);
      dropped += joined.length - tail;
      last = [Buffer.from(joined.subarray(joined.length - tail))];
      lastSize = tail;
    },
    read() {
      const joined = Buffer.concat(last);
      const cut = Math.max(0, joined.length - tail);
      return { output: Buffer.concat([...first, joined.subarray(cut)]), omitted: dropped + cut };
    },
  };
}
