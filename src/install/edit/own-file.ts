import { createHash } from "node:crypto";
import { managedMark } from "../../core/setup.ts";

/**
 * Whose a file is that stands where one of ours belongs: `ours` untouched since it was written, `edited` by
 * somebody after that, or `foreign`.
 */
export type Ownership = "ours" | "edited" | "foreign";

/** Lines within which the header must stand. */
const headerLines = 5;
const stamp = new RegExp(`${managedMark}( [0-9a-f]{16})?`);

/** Writes the hash of the text behind its managed mark. A text without the mark is returned as it is. */
export function stampText(text: string): string {
  return text.replace(stamp, () => `${managedMark} ${hashOf(text)}`);
}

/** Tells by the header alone, so that it also works without a ledger and on another machine. */
export function ownershipOf(text: string): Ownership {
  const head = text.split("\n", headerLines).join("\n");
  const found = stamp.exec(head);
  if (found === null) return "foreign";
  return found[1] === ` ${hashOf(text)}` ? "ours" : "edited";
}

/** Git may turn line endings on checkout; that is no edit. */
function hashOf(text: string): string {
  const plain = text.replace(stamp, managedMark).replaceAll("\r\n", "\n");
  return createHash("sha256").update(plain).digest("hex").slice(0, 16);
}
