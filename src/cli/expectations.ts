import { readFileSync } from "node:fs";
import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import { causeOf, type Problem, ProblemError, problem } from "../core/problem.ts";
import type { Decision } from "../core/verdict.ts";
import { nearest } from "../manifest/nearest.ts";

/** One expectation: an event in the words of `simulate`, and what must become of it. */
export interface Expectation {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  readonly event: Readonly<Partial<Record<EventKey, string>>>;
  readonly verdict: Decision;
  /** A rule that must be among those that decided; null: any. */
  readonly by: string | null;
  /** Text that must stand in the reason or a message, whatever its case; null: any. */
  readonly message: string | null;
}

const eventKeys = ["name", "tool", "command", "path", "content", "prompt", "tests", "agent"] as const;
type EventKey = (typeof eventKeys)[number];
const expectKeys = ["verdict", "by", "message~"] as const;
const decisions: readonly Decision[] = ["allow", "ask", "deny", "continue"];

/** Reads a file of expectations. Throws `ProblemError` with the line of the first thing that is wrong. */
export function readExpectations(file: string): Expectation[] {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines, prettyErrors: false });
  const lineOf = (node: unknown) => lines.linePos((node as Partial<Node> | null)?.range?.[0] ?? 0).line;
  const wrong = (node: unknown, message: string, hint = "") =>
    new ProblemError(fault(file, lineOf(node), message, hint));
  const [error] = document.errors;
  if (error !== undefined)
    throw new ProblemError(fault(file, lines.linePos(error.pos[0]).line, error.message, ""));
  const list = document.contents;
  if (list === null || (isSeq(list) && list.items.length === 0))
    throw new ProblemError(
      problem("HF016", "there are no expectations in this file", { hint: example, where: { file } }),
    );
  if (!isSeq(list)) throw wrong(list, "the file wants a list of expectations", example);
  const fields = <K extends string>(
    node: unknown,
    what: string,
    keys: readonly K[],
    around: unknown = node,
  ) => {
    if (!isMap(node)) throw wrong(around, `${what} wants keys: ${keys.join(", ")}`, example);
    const found: Partial<Record<K, unknown>> = {};
    for (const { key, value } of node.items as Pair[]) {
      const name = isScalar(key) ? String(key.value) : "";
      const known = keys.find((one) => one === name);
      const near = nearest(name, keys);
      if (known === undefined)
        throw wrong(key, `${what} has no "${name}"${near === null ? "" : ` — did you mean "${near}"?`}`);
      found[known] = isScalar(value) ? (value.source ?? value.value) : value;
    }
    return found;
  };
  return list.items.map((item, index) => {
    const top = fields(item, "an expectation", ["name", "event", "expect"]);
    const event = isMap(top.event) ? fields(top.event, "event", eventKeys) : { name: top.event };
    const expect = fields(top.expect, "expect", expectKeys, item);
    const verdict = decisions.find((word) => word === expect.verdict);
    if (verdict === undefined) throw wrong(item, `expect.verdict wants ${decisions.join(", ")}`);
    return {
      file,
      line: lineOf(item),
      name: typeof top.name === "string" ? top.name : `expectation ${index + 1}`,
      event: texts(event),
      verdict,
      by: typeof expect.by === "string" ? expect.by : null,
      message: typeof expect["message~"] === "string" ? expect["message~"] : null,
    };
  });
}

const example =
  "For example: - { event: { command: git push -f }, expect: { verdict: ask, by: git/force-push } }";

function texts(values: Partial<Record<EventKey, unknown>>): Expectation["event"] {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new ProblemError(
      problem("HF006", "the file cannot be read", { cause: causeOf(error), where: { file } }),
    );
  }
}

function fault(file: string, line: number, message: string, hint: string): Problem {
  return problem("HF015", message, { hint, where: { file, line } });
}
