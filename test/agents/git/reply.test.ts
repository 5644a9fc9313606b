import { expect, test } from "vitest";
import { agent } from "../../../src/agents/git/index.ts";
import { verdict } from "../../../src/core/verdict.ts";

test("what git shows names Holdfast once a line", () => {
  const event = agent.parse({}, { event: "pre-commit", argv: [], env: {}, cwd: "/p" });
  if (event === null) throw new Error("no event");
  const messages = ["Holdfast: the tests were not run: x.", "settings are broken"];
  expect(agent.reply(verdict({ messages }), event)).toEqual({
    stdout: "",
    stderr: "holdfast: the tests were not run: x.\nholdfast: settings are broken\n",
    exitCode: 0,
  });
});
