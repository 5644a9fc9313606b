/**
 * The form in which file names are compared: case, width, invisible characters and look-alike letters
 * of other alphabets make no difference. Two names that a person would read as the same fold to
 * the same text; separators that look like `/` become `/`.
 */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const { invisible, looseMarks, lookalikes: table } = (tables ??= makeTables());
  const visible = text.replace(invisible, "").normalize("NFKC").replace(looseMarks, "");
  let folded = "";
  for (const char of visible) folded += table.get(char) ?? char;
  return folded.toLowerCase().replace(looseMarks, "");
}

/**
 * A folded name without what Windows drops when it opens a file: an alternate stream (`:stream`,
 * `::$DATA`), trailing dots and blanks. Blanks in front go too, as tools trim paths.
 */
export function trimmedName(folded: string): string {
  const colon = folded.indexOf(":", 1);
  const named = colon > 1 ? folded.slice(0, colon) : folded;
  let end = named.length;
  while (end > 0 && (named[end - 1] === "." || isBlank(named[end - 1]))) end--;
  let start = 0;
  while (start < end && isBlank(named[start])) start++;
  return start === end ? folded : named.slice(start, end);
}

const ascii = /^[\x20-\x7e]*$/;

interface Tables {
  readonly invisible: RegExp;
  /** Accents that found no letter to join, e.g. a line below `e`; composed letters such as `é` stay. */
  readonly looseMarks: RegExp;
  readonly lookalikes: ReadonlyMap<string, string>;
}

let tables: Tables | null = null;

/** Only for names beyond ASCII: V8 takes a millisecond to read the two classes. */
function makeTables(): Tables {
  return {
    invisible: /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/gu,
    looseMarks: /\p{Script=Inherited}/gu,
    lookalikes: lookalikeTable(),
  };
}

/** Letters and signs that NFKC leaves alone but people read as the Latin one, by the Latin one. */
const readAs: Readonly<Record<string, string>> = {
  a: "аАαΑɑᴀ",
  b: "вВьЬΒʙ",
  c: "сСϲϹᴄ",
  d: "ԁԀᴅ",
  e: "еЕєΕεᴇ℮ҽ",
  f: "ꜰẝ",
  g: "ԍɡɢց",
  h: "һНнΗʜհ",
  i: "іІΙιıɪӀ",
  j: "јЈϳᴊյ",
  k: "кКΚκᴋ",
  l: "ӏʟǀ",
  m: "мМΜᴍ",
  n: "пΝηɴոռ",
  o: "оОοΟσᴏօ",
  p: "рРρΡᴘ",
  q: "ԛԚգզ",
  r: "гʀ",
  s: "ѕЅꜱ",
  t: "тТτΤᴛ",
  u: "υᴜսʋ",
  v: "ѵѴνᴠ",
  w: "ԝԜωшᴡա",
  x: "хХχΧ×",
  y: "уУүҮγΥʏ",
  z: "Ζᴢ",
  ".": "。․ꓸ٠۰܁܂",
  "/": "∕⁄⧸╱∖⧵⧹\\",
  "-": "‐‑‒–—−",
  _: "＿",
  "~": "∼〜",
};

function lookalikeTable(): Map<string, string> {
  const table = new Map<string, string>();
  for (const [latin, others] of Object.entries(readAs)) {
    for (const other of others) table.set(other, latin);
  }
  return table;
}

function isBlank(char: string | undefined): boolean {
  return char === " " || char === "\t";
}
