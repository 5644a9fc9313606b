import { describe, expect, test } from "vitest";
import { defaultSettings } from "../../src/core/settings.ts";
import { guardRules } from "../../src/policies/guard/commands/examples/guard-rules.ts";
import { judgeCommand } from "../../src/policies/guard/risky-commands.ts";
import { world } from "../guard-commands/world.ts";

const settings = { ...defaultSettings, protect: { ...defaultSettings.protect, reads: [".env", "$env"] } };
const judged = guardRules.filter(({ id }) => ["self", "reads"].includes(id));

describe.each(judged.map((rule) => [rule.id, rule] as const))("%s", (id, { hits, misses }) => {
  test.each(hits)("hits %s", (command) => {
    expect(judgeCommand(command, settings, world).verdict.by).toEqual([id]);
  });
  test.each(misses)("lets %s pass", (command) => {
    expect(judgeCommand(command, settings, world).hits.map(({ rule }) => rule)).toEqual([]);
  });
});
