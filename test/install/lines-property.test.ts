import fc from "fast-check";
import { expect, it } from "vitest";
import { meaningfulLines, planLines, removeLines } from "../../src/install/edit/lines.ts";
import { applyChange, cut, locate, trackSpans } from "../../src/install/edit/text.ts";

const ours = [".holdfast/", "*.holdfast-*"];
const line = fc.constantFrom("node_modules", "", "  ", "# note", ".env", "!keep", ".holdfast", "ünï");
const texts = fc
  .tuple(fc.array(line), fc.constantFrom("\n", "\r\n"), fc.constantFrom("", "\uFEFF"), fc.boolean())
  .map(([all, newline, bom, ended]) => bom + all.join(newline) + (ended && all.length > 0 ? newline : ""));

it("lines added to any ignore file come out again to the byte, and are added once", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const outcome = planLines(ours, text);
      if (outcome.kind !== "change") throw new Error(outcome.kind);
      const after = applyChange(text, outcome.change);
      expect(meaningfulLines(after)).toEqual([...meaningfulLines(text), ...ours]);
      expect(planLines(ours, after).kind).toBe("same");
      const spans = trackSpans([], outcome.change, after);
      expect(cut(after, locate(spans, after) ?? [])).toBe(text);
      expect(meaningfulLines(removeLines(ours, after).text)).toEqual(meaningfulLines(text));
    }),
    { numRuns: 1000 },
  );
});

it("adds only the lines that are missing", () => {
  expect(planLines(ours, ".holdfast/  \nx\n")).toEqual({
    kind: "change",
    change: { at: 15, removed: 0, text: "*.holdfast-*\n" },
    keysBefore: 0,
    warnings: [],
  });
});
