import { expect, it } from "vitest";
import { planJsonList } from "../../src/install/edit/json.ts";
import { command, type JsonListPlan, settingsPlans } from "./support/place.ts";

const [wish] = settingsPlans("settings.json") as [JsonListPlan];

it("says that a strict reader ignores a file with comments", () => {
  const commented = '{ "model": "opus" /* mine */ }';
  expect(planJsonList({ ...wish, strict: true }, commented)).toMatchObject({
    kind: "change",
    warnings: [
      {
        code: "HF111",
        severity: "warning",
        message:
          "the agent ignores this whole file: it reads plain JSON, and the file has comments or trailing commas",
      },
    ],
  });
  expect(planJsonList(wish, commented)).toMatchObject({ kind: "change", warnings: [] });
  expect(planJsonList({ ...wish, strict: true }, "{}")).toMatchObject({ kind: "change", warnings: [] });
});

it("names the place of a repeated key and writes to the one that counts", () => {
  const outcome = planJsonList(wish, '{\n  "hooks": {},\n  "hooks": { "PreToolUse": [] }\n}');
  expect(outcome).toMatchObject({
    kind: "change",
    warnings: [{ code: "HF112", where: { line: 2, column: 3 } }],
  });
  expect(outcome.kind === "change" ? outcome.change.at : 0).toBeGreaterThan(40);
});

it("leaves an entry alone that a person made of ours and theirs", () => {
  const hooks = { PreToolUse: [{ hooks: [{ command }, { command: "theirs" }] }] };
  expect(planJsonList(wish, `{\n"hooks": ${JSON.stringify(hooks)} }`)).toEqual({
    kind: "same",
    warnings: [
      {
        code: "HF102",
        severity: "warning",
        message: "our command shares an entry with another command; the entry is left as it is",
        hint: "",
        where: { file: "settings.json", line: 2, column: 25 },
        cause: "",
        fixable: false,
      },
    ],
  });
});

it("replaces an older form of our entry where it stands", () => {
  const text = `{"hooks":{"PreToolUse":[{"a":1},{"hooks":[{"command":${JSON.stringify(command)}}]},{"b":2}]}}`;
  const outcome = planJsonList(wish, text);
  if (outcome.kind !== "change") throw new Error(outcome.kind);
  const { at, removed, text: inserted } = outcome.change;
  const after = JSON.parse(text.slice(0, at) + inserted + text.slice(at + removed));
  expect(after).toEqual({ hooks: { PreToolUse: [{ a: 1 }, wish.value, { b: 2 }] } });
});
