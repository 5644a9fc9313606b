import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";

/** Bytes of a packed archive that are read, and of what it unpacks to. */
const mostPacked = 16 * 1024 * 1024;
const mostUnpacked = 64 * 1024 * 1024;
const mostMembers = 20_000;
const block = 512;

/** Reads `length` bytes at `at`; fewer at the end. */
type Reader = (at: number, length: number) => Buffer;

/** Milliseconds that `tar` has for its list. */
const listMs = 500;
/** Bytes of that list. */
const mostListed = 1024 * 1024;
/** Archives that Node cannot unpack: bzip2, xz, zstd and 7z, which only some `tar` know. */
const foreign = ["425a68", "fd377a585a00", "28b52ffd", "377abcaf271c"];

/**
 * The names in a tar archive (as it is, or packed by gzip) or a zip archive, told apart by what they hold; those of
 * other packers are what the machine's own `tar` lists. Null for any other file, and for one that is too large to
 * look into while somebody waits. Never throws.
 */
export async function archiveMembers(path: string): Promise<readonly string[] | null> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch {
    return null;
  }
  try {
    const { size } = fstatSync(file);
    const read: Reader = (at, length) => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
      return bytes.subarray(0, bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, at));
    };
    const start = read(0, block);
    if (start[0] === 0x1f && start[1] === 0x8b)
      return size > mostPacked ? null : await gunzipped(read(0, size));
    const first = start.subarray(0, 6).toString("hex");
    if (foreign.some((mark) => first.startsWith(mark))) return size > mostPacked ? null : await listed(path);
    if (start.subarray(0, 2).toString("latin1") === "PK") return zipMembers(read, size);
    return isTar(start) ? tarMembers(read) : null;
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

async function gunzipped(packed: Buffer): Promise<readonly string[] | null> {
  const { gunzipSync } = await import("node:zlib");
  const bytes = gunzipSync(packed, { maxOutputLength: mostUnpacked });
  return isTar(bytes) ? tarMembers((at, length) => bytes.subarray(at, at + length)) : null;
}

/** GNU tar takes a name with a colon for a machine's, unless a slash comes first. */
async function listed(path: string): Promise<readonly string[] | null> {
  const { run } = await import("./spawn.ts");
  const { end, code, output, omitted } = await run(
    { argv: ["tar", "-tf", `./${basename(path)}`] },
    {
      cwd: dirname(path),
      env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8" },
      timeoutMs: listMs,
      graceMs: 0,
      keepHead: mostListed,
      keepTail: 0,
      mergeStderr: false,
    },
  );
  if (end !== "exited" || code !== 0 || omitted > 0) return null;
  return output
    .toString("utf8")
    .split(/\r?\n/)
    .filter((name) => name !== "");
}

function isTar(start: Buffer): boolean {
  return start.subarray(257, 262).toString("latin1") === "ustar";
}

/** Headers of 512 bytes, each in front of its content (POSIX.1-2001 pax, and GNU's long names). */
function tarMembers(read: Reader): string[] {
  const names: string[] = [];
  let longer: string | null = null;
  for (let at = 0, left = 4 * mostMembers; left > 0 && names.length < mostMembers; left--) {
    const head = read(at, block);
    if (head.length < block || head[0] === 0) break;
    const size = sizeOf(head);
    const kind = String.fromCharCode(head[156] ?? 0);
    const content = () => read(at + block, Math.min(size, 65_536)).toString("utf8");
    if (kind === "L") longer = textOf(content());
    else if (kind === "x") longer = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content())?.[1] ?? longer;
    else if (kind !== "g" && kind !== "K") {
      if (kind !== "5") names.push(longer ?? nameOf(head));
      longer = null;
    }
    at += block + Math.ceil(size / block) * block;
  }
  return names;
}

function nameOf(head: Buffer): string {
  const name = textOf(head.subarray(0, 100).toString("utf8"));
  const prefix = head[262] === 0 ? textOf(head.subarray(345, 500).toString("utf8")) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Octal text, or for large files a number of base 256. */
function sizeOf(head: Buffer): number {
  if (((head[124] ?? 0) & 0x80) !== 0) return head.readUIntBE(130, 6);
  return Number.parseInt(textOf(head.subarray(124, 136).toString("latin1")).trim(), 8) || 0;
}

function textOf(bytes: string): string {
  const end = bytes.indexOf("\0");
  return end < 0 ? bytes : bytes.slice(0, end);
}

/** The list at the end of the archive (APPNOTE 6.3, "central directory"). */
function zipMembers(read: Reader, size: number): string[] | null {
  const tail = read(Math.max(0, size - 65_557), 65_557);
  const end = tail.lastIndexOf(Buffer.from("PK\u0005\u0006", "latin1"));
  if (end < 0) return null;
  const list = read(tail.readUInt32LE(end + 16), Math.min(tail.readUInt32LE(end + 12), mostPacked));
  const names: string[] = [];
  for (let at = 0; at + 46 <= list.length && names.length < mostMembers; ) {
    const [name, extra, comment] = [28, 30, 32].map((from) => list.readUInt16LE(at + from));
    names.push(list.subarray(at + 46, at + 46 + (name ?? 0)).toString("utf8"));
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return names;
}
