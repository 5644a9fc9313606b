import { describe, expect, it } from "vitest";
import { compose, verdict } from "../src/core/verdict.ts";

describe("composing verdicts", () => {
  it("lets deny beat ask and ask beat allow, and keeps only the winners' reasons", () => {
    const ask = verdict({ decision: "ask", reason: "Sure?", by: ["a"], context: ["one"] });
    const deny = verdict({ decision: "deny", reason: "No.", by: ["b"], messages: ["look"] });
    const pass = verdict({ context: ["two", "one"], rewrite: { command: "ls" } });
    expect(compose([ask, deny, pass])).toEqual({
      decision: "deny",
      reason: "No.",
      by: ["b"],
      context: ["one", "two"],
      messages: ["look"],
      rewrite: null,
    });
    expect(compose([pass, ask])).toEqual({
      decision: "ask",
      reason: "Sure?",
      by: ["a"],
      context: ["two", "one"],
      messages: [],
      rewrite: { command: "ls" },
    });
  });

  it("adds up reasons of equal strength without repeats", () => {
    const one = verdict({ decision: "deny", reason: "A", by: ["x"] });
    const two = verdict({ decision: "deny", reason: "B", by: ["x", "y"] });
    expect(compose([one, two, one])).toEqual({ ...one, reason: "A\n\nB", by: ["x", "y"] });
  });

  it("is a silent allow when nobody says anything", () => {
    expect(compose([])).toEqual(verdict({}));
  });

  it("takes the last rewrite", () => {
    expect(compose([verdict({ rewrite: { a: 1 } }), verdict({ rewrite: { a: 2 } })]).rewrite).toEqual({
      a: 2,
    });
  });
});
