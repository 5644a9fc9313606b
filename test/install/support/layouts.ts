import fc from "fast-check";

/** How a generated document is written down. Decisions are drawn one by one from `coins`. */
interface Pen {
  readonly newline: string;
  readonly unit: string;
  readonly comments: boolean;
  readonly trailing: boolean;
  /** Draws a number below `n`. */
  draw(n: number): number;
}

/** A JSON value and one of the many ways to write it: blanks, comments, line breaks, trailing commas. */
export interface Written {
  readonly text: string;
  readonly strict: boolean;
}

/** Settings documents with hooks of other tools at places where ours go, in random layouts. */
export function writtenSettings(): fc.Arbitrary<Written> {
  return fc
    .record({
      value: settings(),
      coins: fc.infiniteStream(fc.nat(1_000_000)),
      newline: fc.constantFrom("\n", "\r\n"),
      unit: fc.constantFrom("  ", "    ", "\t", " "),
      comments: fc.boolean(),
      trailing: fc.boolean(),
      bom: fc.constantFrom("", "", "\uFEFF"),
      end: fc.constantFrom("", "\n", "\n\n"),
    })
    .map(({ value, coins, bom, end, ...style }) => {
      const pen: Pen = { ...style, draw: (n) => (coins.next().value ?? 0) % n };
      const text =
        bom + gap(pen, 0) + write(value, pen, 0) + gap(pen, 0) + end.replaceAll("\n", style.newline);
      return { text, strict: !style.comments && !style.trailing };
    });
}

function settings(): fc.Arbitrary<unknown> {
  const handler = fc.record({ type: fc.constant("command"), command: fc.string(), timeout: fc.nat() });
  const group = fc.oneof(
    fc.record({ matcher: fc.string(), hooks: fc.array(handler, { maxLength: 2 }) }),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const lists = fc.dictionary(
    fc.constantFrom("PreToolUse", "Stop", "SessionStart", "ünï"),
    fc.array(group, { maxLength: 3 }),
  );
  const rest = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  return fc.tuple(rest, fc.option(lists), fc.boolean()).map(([others, hooks, first]) => {
    const { hooks: _, ...plain } = others;
    if (hooks === null) return plain;
    return first ? { hooks, ...plain } : { ...plain, hooks };
  });
}

function write(value: unknown, pen: Pen, depth: number): string {
  if (Array.isArray(value))
    return container(
      "[",
      "]",
      value.map((item) => write(item, pen, depth + 1)),
      pen,
      depth,
    );
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) =>
      `${JSON.stringify(key)}${gap(pen, depth)}:${gap(pen, depth)}${write(item, pen, depth + 1)}`,
  );
  return container("{", "}", members, pen, depth);
}

function container(open: string, close: string, members: readonly string[], pen: Pen, depth: number): string {
  const style = pen.draw(3);
  if (members.length === 0) return open + gap(pen, depth) + close;
  const broken = pen.newline + pen.unit.repeat(depth + 1);
  const before = () => (style === 0 ? broken : style === 1 ? "" : gap(pen, depth));
  const written = members.map((member) => before() + member + gap(pen, depth)).join(",");
  const comma = pen.trailing && pen.draw(2) === 0 ? `,${gap(pen, depth)}` : "";
  return open + written + comma + (style === 0 ? pen.newline + pen.unit.repeat(depth) : "") + close;
}

function gap(pen: Pen, depth: number): string {
  const broken = pen.newline + pen.unit.repeat(depth);
  switch (pen.draw(12)) {
    case 0:
      return " ";
    case 1:
      return broken;
    case 2:
      return pen.comments ? ` /* "a", [ */ ` : "";
    case 3:
      return pen.comments ? ` // b } ,${broken}` : "";
    case 4:
      return pen.comments ? `/* c${pen.newline} */` : "";
    default:
      return "";
  }
}
