import { describe, expect, it } from "vitest";
import type { TurnEndEvent } from "../../src/core/event.ts";
import { allow } from "../../src/core/verdict.ts";
import { review } from "../../src/policies/review/index.ts";
import { type Desk, newDesk, settingsWith } from "./turn.ts";

const ends = (desk: Desk, limit: number, more: Partial<TurnEndEvent> = {}) => {
  const event = desk.turnEnd(more);
  return review(event, settingsWith({}, limit), desk.context(event));
};

describe("review", () => {
  it("tells of a large change with its size, once for each state of the tree", async () => {
    const desk = newDesk();
    desk.write("new.txt", "x\n".repeat(12));
    const large = (lines: number) => ({
      ...allow,
      by: ["review"],
      messages: [
        `Holdfast: large change, please review: ${lines} lines added or removed since the last commit (limit 10).`,
      ],
    });
    expect([await ends(desk, 10), await ends(desk, 10)]).toEqual([large(12), allow]);
    desk.write("new.txt", "x\n".repeat(13));
    expect([await ends(desk, 10), await ends(desk, 10, { session: "s2" })]).toEqual([large(13), large(13)]);
  });

  it("is silent up to the limit, in subagents, and while work goes on", async () => {
    const desk = newDesk();
    expect(await ends(desk, 0)).toEqual(allow);
    desk.write("new.txt", "x\n".repeat(12));
    expect([
      await ends(desk, 12),
      await ends(desk, 1, { subagent: true }),
      await ends(desk, 1, { backgroundTasks: 2 }),
      await ends(desk, 1, { phase: "settled" }),
    ]).toEqual([allow, allow, allow, allow]);
  });
});
