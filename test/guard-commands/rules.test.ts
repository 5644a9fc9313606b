import { describe, expect, test } from "vitest";
import { ruleExamples } from "../../src/policies/guard/commands/examples/index.ts";
import { packs } from "../../src/policies/guard/commands/packs.ts";
import { decide, judge } from "./world.ts";

const rules = packs.flatMap((pack) => pack.rules);

test("every rule has its own id, words, and examples of both kinds", () => {
  const ids = rules.map((rule) => rule.id);
  const complete = rules.filter(
    (rule) =>
      rule.words !== "" &&
      rule.loss.endsWith(".") &&
      (ruleExamples[rule.id]?.hits.length ?? 0) >= 3 &&
      (ruleExamples[rule.id]?.misses.length ?? 0) >= 3,
  );
  expect({ unique: new Set(ids).size, complete: complete.map((rule) => rule.id) }).toEqual({
    unique: ids.length,
    complete: ids,
  });
  expect(Object.keys(ruleExamples).filter((id) => id !== "protect" && !ids.includes(id))).toEqual([]);
});

describe.each(Object.entries(ruleExamples))("%s", (id, examples) => {
  test.each(examples.hits)("hits %s", (command) => {
    expect(judge(command).hits.map((hit) => hit.rule)).toContain(id);
  });

  test.each(examples.misses)("lets %s pass", (command) => {
    expect(judge(command).hits.map((hit) => `${hit.rule}: ${hit.at}`)).toEqual([]);
  });
});

test.each(rules.map((rule) => [rule.id, rule.safer]))("the safer way of %s passes every rule", (_, safer) => {
  const commands = [...safer.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? "");
  const stopped = commands.filter((command) => decide(command) !== "allow");
  expect({ some: commands.length > 0, stopped }).toEqual({ some: true, stopped: [] });
});
