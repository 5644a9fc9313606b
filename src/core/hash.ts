/**
 * 128-bit content hash (MurmurHash3 x86, 128 bit) as 32 hex digits. For telling contents apart and naming
 * files; not for secrets. Pure code, because loading `node:crypto` costs more than hashing on the hook path.
 */
export function hash(input: string | Uint8Array): string {
  const bytes = typeof input === "string" ? Buffer.from(input, "utf8") : input;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blocks = bytes.length & ~15;
  let h1 = 0;
  let h2 = 0;
  let h3 = 0;
  let h4 = 0;
  for (let i = 0; i < blocks; i += 16) {
    h1 ^= k1(view.getUint32(i, true));
    h1 = (Math.imul(rotate(h1, 19) + h2, 5) + 0x561ccd1b) | 0;
    h2 ^= k2(view.getUint32(i + 4, true));
    h2 = (Math.imul(rotate(h2, 17) + h3, 5) + 0x0bcaa747) | 0;
    h3 ^= k3(view.getUint32(i + 8, true));
    h3 = (Math.imul(rotate(h3, 15) + h4, 5) + 0x96cd1c35) | 0;
    h4 ^= k4(view.getUint32(i + 12, true));
    h4 = (Math.imul(rotate(h4, 13) + h1, 5) + 0x32ac3b17) | 0;
  }
  // The rest, padded with zeros: equals the reference, whose tail skips absent bytes.
  const rest = new DataView(new ArrayBuffer(16));
  for (let i = blocks; i < bytes.length; i++) rest.setUint8(i - blocks, view.getUint8(i));
  h4 ^= k4(rest.getUint32(12, true));
  h3 ^= k3(rest.getUint32(8, true));
  h2 ^= k2(rest.getUint32(4, true));
  h1 ^= k1(rest.getUint32(0, true));
  return finish([h1, h2, h3, h4], bytes.length);
}

/** Hash of several texts; no two different lists share an input. */
export function hashAll(parts: readonly string[]): string {
  return hash(parts.map((part) => `${part.length}:${part}`).join(""));
}

const c1 = 0x239b961b;
const c2 = 0xab0e9789;
const c3 = 0x38b34ae5;
const c4 = 0xa1e38b93;

function k1(k: number): number {
  return Math.imul(rotate(Math.imul(k, c1), 15), c2);
}

function k2(k: number): number {
  return Math.imul(rotate(Math.imul(k, c2), 16), c3);
}

function k3(k: number): number {
  return Math.imul(rotate(Math.imul(k, c3), 17), c4);
}

function k4(k: number): number {
  return Math.imul(rotate(Math.imul(k, c4), 18), c1);
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

function finish(state: readonly [number, number, number, number], length: number): string {
  let [h1, h2, h3, h4] = state.map((h) => h ^ length) as [number, number, number, number];
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = mix(h1);
  h2 = mix(h2);
  h3 = mix(h3);
  h4 = mix(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  return [h1, h2, h3, h4].map((h) => (h >>> 0).toString(16).padStart(8, "0")).join("");
}

function mix(h: number): number {
  let x = h ^ (h >>> 16);
  x = Math.imul(x, 0x85ebca6b);
  x ^= x >>> 13;
  x = Math.imul(x, 0xc2b2ae35);
  return x ^ (x >>> 16);
}
