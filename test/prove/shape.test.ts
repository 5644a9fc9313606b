import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareShapes, fieldsRead, mergeShapes, shapeOf } from "../../src/prove/shape.ts";

const shell = { session_id: "a", tool_name: "Bash", tool_input: { command: "ls", timeout: 5 } };
const shellShape = {
  "": "object",
  session_id: "string",
  tool_input: "object",
  "tool_input.command": "string",
  "tool_input.timeout": "number",
  tool_name: "string",
};

describe("the shape of payloads", () => {
  it("names every field and its type, lists and the fields in them as well", () => {
    const payload = { ids: ["a"], none: [], edits: [{ old: "a" }, { old: null, line: 3 }], ok: true };
    expect(shapeOf([payload])).toEqual({
      "": "object",
      edits: "list",
      "edits[]": "object",
      "edits[].line?": "number",
      "edits[].old": "null|string",
      ids: "list",
      "ids[]": "string",
      none: "list",
      ok: "boolean",
    });
  });

  it("marks what not every payload has, but only where there was something to have it", () => {
    const other = { session_id: "b", tool_name: "Bash" };
    expect(shapeOf([shell, other])).toEqual({
      "": "object",
      session_id: "string",
      "tool_input?": "object",
      "tool_input.command": "string",
      "tool_input.timeout": "number",
      tool_name: "string",
    });
  });

  it("knows names that are data: paths, ids and numbers are the same in every run", () => {
    const one = { files: { "/tmp/a/b.txt": 1 }, tasks: { "0b5e2f34-aaaa-bbbb-cccc-1234567890ab": "x" } };
    const other = { files: { "src/main.ts": 2, "README.md": 3 }, tasks: { "17": "y" } };
    expect(shapeOf([one])).toEqual(shapeOf([other]));
    expect(shapeOf([one])).toMatchObject({ "files.*?": "number", "tasks.*?": "string" });
  });

  it("is the same in whatever order payloads come", () => {
    const payloads = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(payloads, (values) => {
        expect(shapeOf([...values].reverse())).toEqual(shapeOf(values));
      }),
    );
  });
});

describe("shapes of several runs", () => {
  it("together allow what either allows", () => {
    const later = { session_id: "b", tool_name: null, tool_input: { command: "ls", cwd: "/" } };
    expect(mergeShapes(shellShape, shapeOf([later]))).toEqual({
      "": "object",
      session_id: "string",
      tool_input: "object",
      "tool_input.command": "string",
      "tool_input.cwd?": "string",
      "tool_input.timeout?": "number",
      tool_name: "null|string",
    });
  });

  it("are never at odds with a run that is in them", () => {
    const payloads = fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(payloads, payloads, (one, other) => {
        const both = mergeShapes(shapeOf(one), shapeOf(other));
        expect(compareShapes(both, shapeOf(one), () => true)).toEqual({ failures: [], notes: [] });
        expect(compareShapes(both, shapeOf(other), () => true)).toEqual({ failures: [], notes: [] });
      }),
    );
  });
});

describe("a change of shape", () => {
  const reads = (path: string) => path.startsWith("tool_input");
  const compare = (...payloads: readonly unknown[]) => compareShapes(shellShape, shapeOf(payloads), reads);

  it("is none when values alone differ", () => {
    const same = { session_id: "z", tool_name: "Shell", tool_input: { command: "rm", timeout: 1.5 } };
    expect(compare(same, shell)).toEqual({ failures: [], notes: [] });
  });

  it("fails on a field of another type, read or not", () => {
    const changed = { session_id: 7, tool_name: "Bash", tool_input: { command: ["ls"], timeout: 5 } };
    expect(compare(changed)).toEqual({
      failures: [
        "session_id was a string and is now a number",
        "tool_input.command was a string and is now a list",
      ],
      notes: [],
    });
  });

  it("fails on a missing field that is read, and only tells of one that is not", () => {
    expect(compare({ tool_name: "Bash", tool_input: { cmd: "ls", timeout: 5 } })).toEqual({
      failures: ["tool_input.command is missing"],
      notes: ["session_id is missing", "tool_input.cmd is new: a string"],
    });
    expect(compare(shell, { ...shell, tool_input: { timeout: 5 } })).toEqual({
      failures: ["tool_input.command is sometimes missing"],
      notes: [],
    });
  });

  it("names the whole object that is missing, not everything in it", () => {
    const failures = ["tool_input is missing"];
    expect(compare({ session_id: "a", tool_name: "Bash" })).toEqual({ failures, notes: [] });
  });

  it("is none when something that comes now and then stays away", () => {
    const known = mergeShapes(shellShape, shapeOf([{ ...shell, agent_id: "a" }]));
    expect(compareShapes(known, shellShape, () => true)).toEqual({ failures: [], notes: [] });
    const empty = shapeOf([{ edits: [] }]);
    expect(compareShapes(shapeOf([{ edits: [{ old: "a" }] }]), empty, () => true)).toEqual({
      failures: [],
      notes: [],
    });
  });
});

describe("what a parser reads", () => {
  it("is seen at every depth, missing fields included", () => {
    const payload = { tool: { name: "Bash", args: [{ path: "a" }, { path: "b" }] }, unread: { deep: 1 } };
    const read = fieldsRead(payload, (value) => {
      const { tool, missing } = value as { tool: { args: { path: string }[] }; missing?: string };
      expect([missing, ...tool.args.map(({ path }) => path)]).toEqual([undefined, "a", "b"]);
    });
    expect([...read].sort()).toEqual(["missing", "tool", "tool.args", "tool.args[].path"]);
  });

  it("is nothing in a payload that is a plain value", () => {
    expect([...fieldsRead("text", (value) => expect(value).toBe("text"))]).toEqual([]);
  });
});
