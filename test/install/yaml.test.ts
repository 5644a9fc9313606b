import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { applyChange } from "../../src/install/edit/text.ts";
import { planYamlList, type YamlListPlan } from "../../src/install/edit/yaml.ts";
import { removeYamlEntries } from "../../src/install/edit/yaml-remove.ts";
import {
  command,
  createPlace,
  install,
  items,
  type Place,
  plan,
  put,
  uninstall,
  yamlPlans,
} from "./support/place.ts";

const golden = join(dirname(fileURLToPath(import.meta.url)), "..", "golden");
const places: Place[] = [];
afterEach(() => {
  for (const place of places.splice(0)) rmSync(dirname(place.root), { recursive: true, force: true });
});

function stage(text: string | Buffer) {
  const place = createPlace();
  places.push(place);
  const file = put(join(place.root, "config.yaml"), text);
  return { place, file, wanted: items(place, yamlPlans(file)) };
}

/** Why each file is refused: code, line and words. */
const refusals: Readonly<Record<string, readonly [string, number | null, RegExp]>> = {
  "all-in-braces.yaml": ["HF110", 1, /the file is written in braces/],
  "duplicate-key.yaml": ["HF104", 2, /does not parse \(Map keys must be unique\)/],
  "event-is-map.yaml": ["HF110", 1, /hooks\.pre_tool_call is no list/],
  "event-is-text.yaml": ["HF110", 1, /hooks\.pre_tool_call is no list/],
  "explicit-keys.yaml": ["HF104", 1, /would not read back/],
  "hooks-aliased.yaml": ["HF110", 1, /hooks\.pre_tool_call is no list/],
  "hooks-anchored.yaml": ["HF110", 2, /hooks is used again elsewhere \(an anchor\)/],
  "hooks-in-braces.yaml": ["HF110", 2, /hooks is written in braces/],
  "hooks-is-list.yaml": ["HF110", 1, /hooks\.pre_tool_call is no list/],
  "hooks-is-text.yaml": ["HF110", 1, /hooks\.pre_tool_call is no list/],
  "latin1.yaml": ["HF113", null, /not UTF-8/],
  "list-anchored.yaml": ["HF110", 3, /hooks\.pre_tool_call is used again elsewhere/],
  "list-at-top.yaml": ["HF110", 1, /hooks\.pre_tool_call is no list/],
  "merge-conflict.yaml": ["HF104", 2, /does not parse/],
  "tab-indent.yaml": ["HF104", 2, /does not parse \(Tabs/],
  "text-at-top.yaml": ["HF110", 1, /hooks\.pre_tool_call is no list/],
  "two-documents.yaml": ["HF104", 2, /does not parse/],
  "unclosed-flow.yaml": ["HF104", 2, /does not parse/],
  "unclosed-quote.yaml": ["HF104", 3, /does not parse/],
};

describe("refused, with the reason, and left alone", () => {
  it("has words for every file", () => {
    expect(readdirSync(join(golden, "yaml-refused")).sort()).toEqual(Object.keys(refusals).sort());
  });

  it.each(Object.entries(refusals))("%s", (name, [code, line, words]) => {
    const bytes = readFileSync(join(golden, "yaml-refused", name));
    const { place, file, wanted } = stage(bytes);
    const made = plan(place, wanted);
    expect(made.changes).toEqual([]);
    expect(made.refused.map((found) => [found.code, found.where.line ?? null])).toEqual([[code, line]]);
    expect(made.refused[0]?.message).toMatch(words);
    expect(made.refused[0]?.hint).not.toBe("");
    expect(readFileSync(file)).toEqual(bytes);
  });
});

describe("when the file has changed since", () => {
  it("takes our entries out of a file its agent wrote anew, and the keys made for them", () => {
    const { place, file, wanted } = stage("model: k2\n");
    install(place, wanted);
    const entry = `    - timeout: 30\n      command: ${JSON.stringify(command)}\n`;
    writeFileSync(file, `hooks:\n  pre_tool_call:\n${entry}model: k2\n`);
    const { removals } = uninstall(place, wanted);
    expect(removals.map(({ level }) => level)).toEqual(["structural"]);
    expect(readFileSync(file, "utf8")).toBe("model: k2\n");
  });

  it("takes them out around what the person added", () => {
    const { place, file, wanted } = stage("model: k2\n");
    install(place, wanted);
    writeFileSync(file, `# first\n${readFileSync(file, "utf8")}after: 1\n`);
    uninstall(place, wanted);
    expect(readFileSync(file, "utf8")).toBe("# first\nmodel: k2\nafter: 1\n");
  });

  it("keeps what the person added beside them", () => {
    const { place, file, wanted } = stage("");
    install(place, wanted);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace("  on_turn_end:", "    - command: mine\n  on_turn_end:"),
    );
    uninstall(place, wanted);
    expect(readFileSync(file, "utf8")).toBe("hooks:\n  pre_tool_call:\n    - command: mine\n");
  });

  it("writes an entry of ours that differs anew where it stands", () => {
    const { place, file, wanted } = stage("model: k2\n");
    install(place, wanted);
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace("timeout: 30", "timeout: 3"));
    install(place, wanted);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});

/** Lines under a top-level key, each a trap for a reader that is not YAML's own. */
const pieces = [
  'a%d: "x # y"',
  "b%d: 'it''s: [{'",
  "c%d: |\n  hooks:\n    pre_tool_call: []",
  "d%d: >-\n  folded\n\n  text",
  'e%d: [1, [2, 3], {x: "]"}] # ]',
  "f%d:\n  - y\n  -\n    z: 1 # ]",
  "g%d: &g%d\n  h: 1\ni%d: *g%d",
  "j%d:",
  "k%d: plain\n  going on",
  "# hooks:",
  "",
] as const;
const hooks = [
  "",
  "hooks:",
  "hooks:\n  other:\n    - command: x",
  "hooks:\n    pre_tool_call:\n    - command: x # why\n    -   command: y",
  "hooks:\n  pre_tool_call: [{ command: x }]\n  on_turn_end:",
  "hooks:\n  on_turn_end:\n    - command: |\n        x",
] as const;

function documents() {
  const line = fc.constantFrom(...pieces);
  return fc
    .record({
      before: fc.array(line, { maxLength: 5 }),
      hooks: fc.constantFrom(...hooks),
      after: fc.array(line, { maxLength: 5 }),
      newline: fc.constantFrom("\n", "\r\n"),
      bom: fc.constantFrom("", "\uFEFF"),
      ended: fc.boolean(),
    })
    .map(({ before, hooks: own, after, newline, bom, ended }) => {
      const lines = [...before, own, ...after].map((text, i) => text.replaceAll("%d", String(i)));
      return (
        bom +
        lines
          .join("\n")
          .concat(ended ? "\n" : "")
          .replaceAll("\n", newline)
      );
    });
}

describe("any document", () => {
  const wanted = yamlPlans("/config.yaml").filter((one): one is YamlListPlan => one.kind === "yaml-list");

  it("gets our entries and nothing else, and gives them back", () => {
    let changed = 0;
    fc.assert(
      fc.property(documents(), (text) => {
        const body = text.replace(/^\uFEFF/, "");
        let now = text;
        const keys: number[] = [];
        for (const one of wanted) {
          const outcome = planYamlList(one, now);
          if (outcome.kind === "refused") return;
          if (outcome.kind === "change") now = applyChange(now, outcome.change);
          keys.push(outcome.kind === "change" ? outcome.keysBefore : 0);
        }
        changed += 1;
        const value = parse(body) ?? {};
        const read = parse(now.replace(/^\uFEFF/, ""));
        for (const {
          at: [, event = ""],
          value: entry,
        } of wanted) {
          expect(read.hooks[event]).toEqual([...(value.hooks?.[event] ?? []), entry]);
        }
        for (const one of wanted) expect(planYamlList(one, now).kind).toBe("same");
        let rest = now;
        for (const [i, { at, ours }] of [...wanted.entries()].reverse()) {
          rest = removeYamlEntries(rest, { at, ours, keysBefore: keys[i] ?? 0 })?.text ?? "";
        }
        expect(parse(rest.replace(/^\uFEFF/, "")) ?? {}).toEqual(value);
      }),
      { numRuns: 400 },
    );
    expect(changed).toBeGreaterThan(300);
  });
});
