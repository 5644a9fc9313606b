import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { explainBatch } from "../../src/cli/commands/explain-batch.ts";

const options = { root: "/home/dev/app", home: "/home/dev", tmp: "/tmp" };

async function answers(chunks: readonly (string | Buffer)[]): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of explainBatch(Readable.from(chunks, { objectMode: true }), options)) {
    const { us, ...rest } = JSON.parse(line) as { us: number };
    expect(Number.isInteger(us)).toBe(true);
    lines.push(rest);
  }
  return lines;
}

test("one answer a line, whatever the chunks", async () => {
  const rows = [
    { id: "a", cmd: "echo x > .env" },
    { id: "b", cmd: "rm -rf dist", cwd: "/" },
    { id: 3, cmd: "ls" },
    { id: "d", gen: { prefix: "rm -rf", unit: " dist", n: 3, suffix: " /" } },
    { id: "ü", cmd: "git push --force" },
  ];
  const text = Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"));
  const expected = [
    { id: "a", verdict: "deny", rules: ["protect"] },
    { id: "b", verdict: "ask", rules: ["files/rm-broad"] },
    { id: 3, verdict: "allow", rules: [] },
    { id: "d", verdict: "ask", rules: ["files/rm-broad"] },
    { id: "ü", verdict: "ask", rules: ["git/force-push"] },
  ];
  const pieces = Array.from({ length: text.length }, (_, at) => text.subarray(at, at + 1));
  expect(await answers([text])).toEqual(expected);
  expect(await answers(pieces)).toEqual(expected);
});

test("a line that is no command is answered with a question", async () => {
  expect(await answers(['{"id":"a"}\nnot json\n\n{"id":"b","gen":{"unit":"x","n":-1}}\n'])).toEqual([
    { id: "a", verdict: "ask", rules: ["bad-line"] },
    { id: "", verdict: "ask", rules: ["bad-line"] },
    { id: "b", verdict: "ask", rules: ["bad-line"] },
  ]);
});
