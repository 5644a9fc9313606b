import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeStage, parseStory } from "./story.ts";

const folder = join(process.cwd(), "test/scenarios");
const program = process.env.HOLDFAST_PROGRAM ?? join(process.cwd(), "dist/holdfast.cjs");
const stories = readdirSync(folder).filter((name) => name.endsWith(".txt"));

test("the program is built; npm test does that first", () => {
  expect(existsSync(program)).toBe(true);
});

describe("stories", () => {
  test.each(stories)("%s", { timeout: 240_000 }, (name) => {
    const steps = parseStory(readFileSync(join(folder, name), "utf8"));
    expect(steps.length).toBeGreaterThan(0);
    const stage = makeStage(program);
    try {
      for (const step of steps) {
        const { output, differences } = stage.play(step);
        const told = `${name}:${step.line}  $ ${step.command}\n${differences.join("\n")}\n--- printed ---\n${output}`;
        expect(differences, told).toEqual([]);
      }
    } finally {
      stage.remove();
    }
  });
});
