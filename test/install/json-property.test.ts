import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { afterAll, expect, test } from "vitest";
import { planJsonList } from "../../src/install/edit/json.ts";
import { removeEntries } from "../../src/install/edit/json-remove.ts";
import { applyChange, cut, locate, type Span, trackSpans } from "../../src/install/edit/text.ts";
import { writtenSettings } from "./support/layouts.ts";
import {
  command,
  createPlace,
  install,
  items,
  plan,
  put,
  settingsPlans,
  stopCommand,
  uninstall,
} from "./support/place.ts";

const place = createPlace();
const file = put(join(place.root, ".claude", "settings.json"), "");
const wanted = items(place, settingsPlans(file));
afterAll(() => rmSync(dirname(place.root), { recursive: true }));

test("install then uninstall gives back every byte, whatever the layout", () => {
  fc.assert(
    fc.property(writtenSettings(), ({ text }) => {
      writeFileSync(file, text);
      install(place, wanted);
      const after = readFileSync(file, "utf8");
      expect(read(after)).toEqual(withOurs(read(text)));
      const { removals } = uninstall(place);
      expect(removals.map((removal) => removal.level)).toEqual(["exact"]);
      expect(readFileSync(file, "utf8")).toBe(text);
    }),
    { numRuns: 80 },
  );
});

test("installing twice is installing once", () => {
  fc.assert(
    fc.property(writtenSettings(), ({ text }) => {
      writeFileSync(file, text);
      install(place, wanted);
      const once = readFileSync(file, "utf8");
      expect(plan(place, wanted).changes).toEqual([]);
      install(place, wanted);
      expect(readFileSync(file, "utf8")).toBe(once);
      uninstall(place);
    }),
    { numRuns: 30 },
  );
});

test("every insertion is one run of text that cuts out again, and strict JSON stays strict JSON", () => {
  fc.assert(
    fc.property(writtenSettings(), ({ text, strict }) => {
      let now = text;
      let spans: readonly Span[] = [];
      for (const wish of settingsPlans(file)) {
        const outcome = planJsonList(wish, now);
        if (outcome.kind !== "change") throw new Error(outcome.kind);
        expect(outcome.change.removed).toBe(0);
        now = applyChange(now, outcome.change);
        spans = trackSpans(spans, outcome.change, now);
      }
      expect(cut(now, locate(spans, now) ?? [])).toBe(text);
      if (strict) expect(() => JSON.parse(now.replace(/^\uFEFF/, ""))).not.toThrow();
    }),
    { numRuns: 500 },
  );
});

test("what somebody else adds or changes after the install survives the uninstall", () => {
  const foreign = { type: "command", command: "other tool" };
  const additions = fc.constantFrom<readonly string[]>(
    ["hooks", "PreToolUse"],
    ["hooks", "Stop"],
    ["hooks", "Other"],
    ["more"],
  );
  fc.assert(
    fc.property(
      writtenSettings(),
      fc.array(additions, { minLength: 1, maxLength: 3 }),
      ({ text }, places) => {
        writeFileSync(file, text);
        install(place, wanted);
        let now = readFileSync(file, "utf8");
        let expected = read(text);
        for (const at of places) {
          const value = { ...foreign, command: `other tool ${now.length}` };
          const outcome = planJsonList({ kind: "json-list", file, at, value, ours: [] }, now);
          if (outcome.kind === "refused" && outcome.problem.code === "HF110") continue;
          if (outcome.kind !== "change") throw new Error(outcome.kind);
          now = applyChange(now, outcome.change);
          expected = appended(expected, at, value);
        }
        writeFileSync(file, now);
        const { refused } = uninstall(place);
        expect(refused).toEqual([]);
        expect(read(readFileSync(file, "utf8"))).toEqual(expected);
      },
    ),
    { numRuns: 80 },
  );
});

test("entries are recognised and removed one by one in a file nobody recorded", () => {
  fc.assert(
    fc.property(writtenSettings(), ({ text }) => {
      let now = text;
      const wishes = settingsPlans(file);
      for (const wish of wishes) {
        const outcome = planJsonList(wish, now);
        if (outcome.kind === "change") now = applyChange(now, outcome.change);
      }
      for (const wish of [...wishes].reverse()) {
        const removal = removeEntries(now, { at: wish.at, ours: wish.ours, keysBefore: 2 });
        expect(removal?.entries).toBe(1);
        now = removal?.text ?? "";
      }
      expect(withoutEmpty(read(now))).toEqual(withoutEmpty(read(text)));
      expect(now).not.toContain(JSON.stringify(command));
      for (const comment of text.match(/\/\/ b \} ,|\/\* "a", \[ \*\//g) ?? [])
        expect(now).toContain(comment);
    }),
    { numRuns: 500 },
  );
});

function read(text: string): unknown {
  const errors: never[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

function withOurs(value: unknown): unknown {
  const [pre, stop] = settingsPlans(file);
  const first = appended(value, ["hooks", "PreToolUse"], pre?.value);
  expect(JSON.stringify(stop)).toContain(JSON.stringify(stopCommand).slice(1, -1));
  return appended(first, ["hooks", "Stop"], stop?.value);
}

function appended(value: unknown, at: readonly string[], entry: unknown): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return [...(Array.isArray(value) ? value : []), entry];
  const from: Record<string, unknown> = typeof value === "object" && value !== null ? { ...value } : {};
  return { ...from, [key]: appended(from[key], rest, entry) };
}

/** Without the lists our entries leave empty when it is unknown who made them. */
function withoutEmpty(value: unknown): unknown {
  const { hooks, ...rest } = value as { hooks?: Record<string, unknown[]> };
  const lists = Object.entries(hooks ?? {}).filter(([, list]) => list.length > 0);
  return { ...rest, hooks: Object.fromEntries(lists) };
}
