import { cutMark } from "../../core/cut.ts";
import { type Dict, parsedText } from "../../core/read.ts";

/**
 * The arguments in the first part of an object's JSON text whose end was cut off: whole texts as they are,
 * the one that was cut with the mark of a cut text, and the mark for what may be missing behind it.
 */
export function cutInput(json: string): Dict {
  const found: Record<string, unknown> = { [cutMark]: true };
  field.lastIndex = 0;
  for (let match = field.exec(json); match !== null; match = field.exec(json)) {
    const [, key = "", body, end, word] = match;
    const name = parsedText(`"${key}"`) ?? key;
    if (body === undefined) found[name] = word;
    else if (end !== '"')
      found[name] = `${parsedText(`"${body.replace(halfEscape, "")}"`) ?? body}${cutMark}`;
    else found[name] = parsedText(`"${body}"`) ?? body;
  }
  return found;
}

/** The same arguments, when nothing that matters can be missing. */
export function withoutGap(input: Dict): Dict {
  const { [cutMark]: _gap, ...known } = input;
  return known;
}

/** A key and its text (whole or cut) or word, each right behind the one before; stops at a list or an object. */
const field =
  /[\s{,]*"([^"\\]*(?:\\[\s\S][^"\\]*)*)"\s*:\s*(?:"([^"\\]*(?:\\[\s\S][^"\\]*)*)("|\\?$)|([\w.+-]+))/gy;

const halfEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/;
