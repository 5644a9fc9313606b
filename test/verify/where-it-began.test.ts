import { utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Event, TurnEndEvent } from "../../src/core/event.ts";
import { begin, verify } from "../../src/policies/verify/index.ts";
import { type Desk, newDesk, settingsWith } from "./turn.ts";

const settings = (desk: Desk) => settingsWith({ command: desk.command });

/** One turn end: what is decided, and how often the tests have run by then. */
async function ends(desk: Desk, more: Partial<TurnEndEvent> = {}) {
  const event = desk.turnEnd(more);
  const { decision } = await verify(event, settings(desk), desk.context(event));
  return [decision, desk.runs()];
}

async function callsTool(desk: Desk, more: Partial<Event> = {}) {
  const event = { ...desk.sessionStart(), ...more } as Event;
  await begin(event, settings(desk), desk.context(event));
}

const broken = { code: "1\n" };

describe("a session whose first turn is talk", () => {
  it("has what it commits later tested", async () => {
    const desk = newDesk();
    expect(await ends(desk)).toEqual(["allow", 0]);
    await callsTool(desk);
    desk.commit(broken);
    expect([await ends(desk), await ends(desk, { continued: true })]).toEqual([
      ["continue", 1],
      ["continue", 2],
    ]);
  });

  it("has it tested also where no tool call is heard at all", async () => {
    const desk = newDesk();
    expect([await ends(desk), await ends(desk)]).toEqual(Array(2).fill(["allow", 0]));
    desk.commit(broken);
    expect(await ends(desk)).toEqual(["continue", 1]);
  });

  it("has the first commit of a repository tested, and what stands on a detached HEAD", async () => {
    const empty = newDesk();
    empty.git("update-ref", "-d", "HEAD");
    empty.git("rm", "-rfq", ".");
    expect(await ends(empty)).toEqual(["allow", 0]);
    await callsTool(empty);
    empty.commit(broken);
    expect(await ends(empty)).toEqual(["continue", 1]);
    const detached = newDesk();
    detached.git("checkout", "-q", "--detach");
    expect(await ends(detached)).toEqual(["allow", 0]);
    await callsTool(detached);
    detached.commit(broken);
    expect(await ends(detached)).toEqual(["continue", 1]);
  });

  it("begins, as far as work goes, where the person left the tree meanwhile", async () => {
    const desk = newDesk();
    expect(await ends(desk)).toEqual(["allow", 0]);
    desk.commit({ "a.txt": "the person's\n" });
    desk.write("code", "1\n");
    await callsTool(desk);
    expect(await ends(desk)).toEqual(["allow", 0]);
    desk.write("a.txt", "the agent's\n");
    expect(await ends(desk)).toEqual(["continue", 1]);
  });

  it("does not begin anew where it was sent back before", async () => {
    const desk = newDesk();
    expect(await ends(desk)).toEqual(["allow", 0]);
    desk.commit(broken);
    expect(await ends(desk)).toEqual(["continue", 1]);
    await callsTool(desk);
    expect(await ends(desk, { continued: true })).toEqual(["continue", 2]);
  });
});

describe("a session that begins with a tool call", () => {
  it("has every commit tested where every turn ends committed", async () => {
    const desk = newDesk();
    await callsTool(desk);
    desk.commit({ "a.txt": "1\n" });
    expect(await ends(desk)).toEqual(["allow", 1]);
    desk.commit({ "a.txt": "2\n", ...broken });
    expect(await ends(desk)).toEqual(["continue", 2]);
    desk.commit({ code: "0\n" });
    expect([await ends(desk), await ends(desk)]).toEqual(Array(2).fill(["allow", 3]));
  });

  it("has amended and rebased commits tested when they hold something else", async () => {
    const desk = newDesk();
    desk.git("checkout", "-q", "-b", "side", "HEAD");
    desk.commit({ "side.txt": "x\n" });
    desk.git("checkout", "-q", "main");
    desk.commit({ "main.txt": "x\n" });
    await callsTool(desk);
    desk.git("commit", "-q", "--amend", "-m", "other words");
    expect(await ends(desk)).toEqual(["allow", 0]);
    desk.git("rebase", "-q", "side");
    expect(await ends(desk)).toEqual(["allow", 1]);
    desk.write("code", "1\n");
    desk.git("commit", "-q", "-a", "--amend", "-m", "broken");
    expect(await ends(desk)).toEqual(["continue", 2]);
  });

  it("begins where the person has committed or checked out by hand, and goes on where it is resumed", async () => {
    const desk = newDesk();
    desk.write("a.txt", "x\n");
    expect(await ends(desk, { session: "earlier" })).toEqual(["allow", 1]);
    desk.commit({ "a.txt": "y\n" });
    desk.git("checkout", "-q", "-b", "other", "HEAD~1");
    await callsTool(desk);
    expect(await ends(desk)).toEqual(["allow", 1]);
    desk.commit(broken);
    // Interrupted: no turn end was heard. The same session goes on later.
    await callsTool(desk);
    expect(await ends(desk)).toEqual(["continue", 2]);
  });

  it("is seen by the calls of its subagents, and without an id", async () => {
    for (const more of [{ subagent: true }, { session: null }]) {
      const desk = newDesk();
      await callsTool(desk, more);
      desk.commit(broken);
      expect(await ends(desk, { ...more, subagent: false })).toEqual(["continue", 1]);
    }
  });
});

describe("a turn end", () => {
  it("runs nothing after what was tested is committed, in this session and the next", async () => {
    const desk = newDesk();
    await callsTool(desk);
    desk.write("new/file.txt", "x\n");
    desk.write("a.txt", "y\n");
    const objects = desk.git("count-objects");
    expect([await ends(desk), desk.git("count-objects")]).toEqual([["allow", 1], objects]);
    desk.commit({});
    expect([await ends(desk), await ends(desk, { session: "next" })]).toEqual(Array(2).fill(["allow", 1]));
    desk.commit({ "a.txt": "z\n" });
    expect(await ends(desk)).toEqual(["allow", 2]);
  });

  it("runs nothing in a new session after commits that are the person's", async () => {
    const desk = newDesk();
    await callsTool(desk, { session: "earlier" });
    desk.write("a.txt", "x\n");
    expect(await ends(desk, { session: "earlier" })).toEqual(["allow", 1]);
    desk.commit({ "b.txt": "pulled\n", ...broken });
    expect(await ends(desk)).toEqual(["allow", 1]);
    await callsTool(desk);
    expect(await ends(desk)).toEqual(["allow", 1]);
    desk.commit({ "b.txt": "the agent's\n" });
    expect(await ends(desk)).toEqual(["continue", 2]);
  });

  it("runs nothing for what the person left uncommitted long ago, or commits between two turns of talk", async () => {
    const desk = newDesk();
    await callsTool(desk, { session: "earlier" });
    desk.write("code", "1\n");
    desk.write("new.txt", "x\n");
    expect(await ends(desk, { session: "fresh" })).toEqual(["continue", 1]);
    const past = Date.now() / 1000 - 3600;
    for (const name of ["code", "new.txt"]) utimesSync(join(desk.root, name), past, past);
    expect(await ends(desk)).toEqual(["allow", 1]);
    desk.commit({ "a.txt": "the person's\n" });
    expect(await ends(desk)).toEqual(["allow", 1]);
    await callsTool(desk);
    desk.commit({ "a.txt": "the agent's\n" });
    expect(await ends(desk)).toEqual(["continue", 2]);
  });

  it("tests new commits of an agent whose tool calls were never heard", async () => {
    const desk = newDesk();
    desk.write("a.txt", "x\n");
    expect(await ends(desk)).toEqual(["allow", 1]);
    desk.commit(broken);
    expect(await ends(desk, { session: "next" })).toEqual(["continue", 2]);
  });
});
