import { describe, expect, it } from "vitest";
import type { TurnEndEvent } from "../../src/core/event.ts";
import { allow } from "../../src/core/verdict.ts";
import { review } from "../../src/policies/review/index.ts";
import { begin } from "../../src/policies/verify/index.ts";
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

  it("tells of what the session committed, once", async () => {
    const desk = newDesk();
    desk.write("before.txt", "x\n".repeat(40));
    desk.git("add", "-A");
    desk.git("commit", "-q", "-m", "the person's");
    await callsTool(desk);
    desk.commit({ "new.txt": "x\n".repeat(12) });
    const large = (lines: number) => ({
      ...allow,
      by: ["review"],
      messages: [
        `Holdfast: large change, please review: ${lines} lines added or removed in this session, committed or not (limit 10).`,
      ],
    });
    expect([await ends(desk, 12), await ends(desk, 10), await ends(desk, 10)]).toEqual([
      allow,
      large(12),
      allow,
    ]);
    await nextSecond();
    desk.commit({ "more.txt": "x\n".repeat(10) });
    expect(await ends(desk, 10)).toEqual(allow);
    desk.write("more.txt", "x\n".repeat(11));
    expect(await ends(desk, 10)).toEqual(large(11));
  });

  it("does not tell again when what it told of is committed", async () => {
    const desk = newDesk();
    await callsTool(desk);
    desk.write("new.txt", "x\n".repeat(12));
    expect((await ends(desk, 10)).messages.length).toBe(1);
    desk.commit({});
    expect(await ends(desk, 10)).toEqual(allow);
    await nextSecond();
    desk.commit({ "more.txt": "x\n" });
    expect(await ends(desk, 10)).toEqual(allow);
  });

  it("names the lines of generated files, which do not count", async () => {
    const desk = newDesk();
    desk.write("package-lock.json", "x\n".repeat(5000));
    expect(await ends(desk, 10)).toEqual(allow);
    desk.write("new.txt", "x\n".repeat(12));
    expect((await ends(desk, 10)).messages[0]).toMatch(
      /: 12 lines .*\(limit 10; 5000 more in generated files\)\.$/,
    );
  });
});

/** Git writes down whole seconds. */
const nextSecond = () => new Promise((done) => setTimeout(done, 1_001));

async function callsTool(desk: Desk) {
  const event = desk.sessionStart();
  await begin(event, settingsWith({ command: "" }), desk.context(event));
}
