import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { parse } from "smol-toml";
import { afterEach, describe, expect, it } from "vitest";
import { applyChange } from "../../src/install/edit/text.ts";
import { planTomlList, type TomlListPlan } from "../../src/install/edit/toml.ts";
import { removeTomlEntries } from "../../src/install/edit/toml-remove.ts";
import { statementsOf } from "../../src/install/edit/toml-scan.ts";
import {
  command,
  createPlace,
  install,
  items,
  type Place,
  plan,
  put,
  tomlPlans,
  uninstall,
} from "./support/place.ts";

const golden = join(dirname(fileURLToPath(import.meta.url)), "..", "golden");
const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(dirname(place.root), { recursive: true, force: true });
});

function stage(text: string | Buffer) {
  const place = createPlace();
  places.push(place);
  const file = put(join(place.root, "config.toml"), text);
  return { place, file, wanted: items(place, tomlPlans(file)) };
}

/** Why each file is refused: code, line, column and words. */
const refusals: Readonly<Record<string, readonly [string, number | null, number | null, RegExp]>> = {
  "duplicate-key.toml": ["HF104", 2, 1, /does not parse/],
  "hooks-dotted.toml": ["HF110", null, null, /hooks is no list of tables/],
  "hooks-is-string.toml": ["HF110", null, null, /hooks is no list of tables/],
  "hooks-is-table.toml": ["HF110", null, null, /hooks is no list of tables/],
  "hooks-of-text.toml": ["HF110", null, null, /hooks is no list of tables/],
  "json.toml": ["HF104", 1, 1, /does not parse/],
  "latin1.toml": ["HF113", null, null, /not UTF-8/],
  "merge-conflict.toml": ["HF104", 2, 1, /does not parse/],
  "table-twice.toml": ["HF104", 3, 2, /does not parse/],
  "unclosed-array.toml": ["HF104", 2, 1, /does not parse/],
  "unclosed-string.toml": ["HF104", 1, 7, /does not parse/],
  "yaml.toml": ["HF104", 1, 6, /does not parse/],
};

describe("refused, with the reason, and left alone", () => {
  it("has words for every file", () => {
    expect(readdirSync(join(golden, "toml-refused")).sort()).toEqual(Object.keys(refusals).sort());
  });

  it.each(Object.entries(refusals))("%s", (name, [code, line, column, words]) => {
    const bytes = readFileSync(join(golden, "toml-refused", name));
    const { place, file, wanted } = stage(bytes);
    const made = plan(place, wanted);
    expect(made.changes).toEqual([]);
    expect(
      made.refused.map((found) => [found.code, found.where.line ?? null, found.where.column ?? null]),
    ).toEqual([[code, line, column]]);
    expect(made.refused[0]?.message).toMatch(words);
    expect(made.refused[0]?.hint).not.toBe("");
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe("when the file has changed since", () => {
  it("takes our tables out of a file its agent wrote anew", () => {
    const { place, file, wanted } = stage('default_model = "k2"\n');
    install(place, wanted);
    const anew = `[[hooks]]\nevent = "PreToolUse"\ncommand = ${JSON.stringify(command)}\ntimeout = 30\n\n[[hooks]]\nevent = "Stop"\ncommand = "say done"\n`;
    writeFileSync(file, anew);
    const { removals } = uninstall(place, wanted);
    expect(removals.map(({ level }) => level)).toEqual(["structural"]);
    expect(readFileSync(file, "utf8")).toBe('[[hooks]]\nevent = "Stop"\ncommand = "say done"\n');
  });

  it("takes them out around what the person added", () => {
    const { place, file, wanted } = stage('default_model = "k2"\n');
    install(place, wanted);
    writeFileSync(file, `# first\n${readFileSync(file, "utf8")}\n[models.k2]\nmodel = "k2"\n`);
    uninstall(place, wanted);
    expect(readFileSync(file, "utf8")).toBe('# first\ndefault_model = "k2"\n\n[models.k2]\nmodel = "k2"\n');
  });

  it("writes a table of ours that differs anew where it stands", () => {
    const { place, file, wanted } = stage("");
    install(place, wanted);
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace("timeout = 30", "timeout = 3"));
    install(place, wanted);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("removes a file that held nothing but ours", () => {
    const place = createPlace();
    places.push(place);
    const wanted = items(place, tomlPlans(join(place.root, "config.toml")));
    install(place, wanted);
    expect(readdirSync(place.root)).toContain("config.toml");
    uninstall(place, wanted);
    expect(readdirSync(place.root)).not.toContain("config.toml");
  });
});

/** Statements that may stand in any order, each by itself a trap for a reader that is not TOML's own. */
const pieces = [
  'a%d = "x # y"',
  "b%d = 'C:\\n'",
  'c%d = """\n[[hooks]]\n\\""" # "" """',
  "d%d = '''it's\n''''''''",
  'e%d = [1, [2, 3], { x = "]" }] # ]',
  'f%d = { y = [ "}" ], "z.w" = 1 }',
  "g%d . h = 1979-05-27 07:32:00",
  "# [[hooks]]",
  "",
  "   ",
] as const;
const tables = [
  "[t%d]",
  '["t.%d"] # x',
  "[t.u%d]",
  '[[hooks]]\nevent = "Stop"\ncommand = "%d"',
  "[[l.m%d]]",
] as const;

function documents() {
  const newline = fc.constantFrom("\n", "\r\n");
  const line = fc.oneof(fc.constantFrom(...pieces), fc.constantFrom(...tables));
  return fc
    .record({
      lines: fc.array(line, { maxLength: 12 }),
      newline,
      bom: fc.constantFrom("", "\uFEFF"),
      end: fc.boolean(),
    })
    .map(({ lines, newline: end, bom, end: ended }) => {
      const body = lines.map((text, i) => text.replaceAll("%d", String(i))).join("\n");
      return bom + (ended ? `${body}\n` : body).replaceAll("\n", end);
    })
    .filter((text) => parses(text.replace(/^\uFEFF/, "")));
}

function parses(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("any document", () => {
  const wanted: TomlListPlan[] = tomlPlans("/config.toml").filter((one) => one.kind === "toml-list");

  it("gets our tables and nothing else, and gives them back to the byte", () => {
    fc.assert(
      fc.property(documents(), (text) => {
        let now = text;
        for (const one of wanted) {
          const outcome = planTomlList(one, now);
          expect(outcome.kind).toBe("change");
          if (outcome.kind === "change") now = applyChange(now, outcome.change);
        }
        expect(now.startsWith(text)).toBe(true);
        for (const one of wanted) expect(planTomlList(one, now).kind).toBe("same");
        const swept = removeTomlEntries(now, { at: ["hooks"], ours: wanted.flatMap(({ ours }) => ours) });
        expect(swept === null ? null : parse(swept.text.replace(/^\uFEFF/, ""))).toEqual(
          parse(text.replace(/^\uFEFF/, "")),
        );
      }),
      { numRuns: 400 },
    );
  });

  it("is read statement by statement", () => {
    fc.assert(
      fc.property(documents(), (text) => {
        const body = text.replace(/^\uFEFF/, "");
        const headers = statementsOf(body).filter(({ kind }) => kind === "item");
        const { hooks, l } = parse(body) as { hooks?: unknown[]; l?: Record<string, unknown> };
        expect(headers).toHaveLength((hooks?.length ?? 0) + Object.keys(l ?? {}).length);
      }),
      { numRuns: 400 },
    );
  });
});
