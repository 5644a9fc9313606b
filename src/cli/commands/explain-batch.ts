import { dict, text } from "../../core/read.ts";
import { defaultSettings } from "../../core/settings.ts";
import type { World } from "../../core/world.ts";
import { judgeCommand } from "../../policies/guard/command-line.ts";
import { warmUp } from "../warm-up.ts";

/** The imagined machine that the commands are judged for. Nothing of it is looked up. */
export interface BatchOptions {
  readonly root: string;
  readonly home: string;
  readonly tmp: string;
}

/** One answer: `us` is the time the decision took, in microseconds, in a process that has judged commands before. */
export interface BatchAnswer {
  /** As it was given; empty where that is neither a text nor a number. */
  readonly id: string | number;
  readonly verdict: "allow" | "ask" | "deny";
  readonly rules: readonly string[];
  readonly us: number;
}

/**
 * Judges many commands with the default policy: JSON lines `{"id","cmd","cwd"?}` in, or `"gen"` with
 * `{prefix, unit, n, suffix}` instead of `cmd`; JSON lines of `BatchAnswer` out. A line that is no such
 * object is answered with `ask` and the rule `bad-line`. Chunks may be cut anywhere.
 */
export async function* explainBatch(
  input: AsyncIterable<string | Uint8Array>,
  options: BatchOptions,
): AsyncGenerator<string> {
  warmUp(worldOf(options, options.root));
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield `${JSON.stringify(answerLine(line, options))}\n`;
  }
  if (rest.trim() !== "") yield `${JSON.stringify(answerLine(rest, options))}\n`;
}

/** Judges one line of a batch. */
export function answerLine(line: string, options: BatchOptions): BatchAnswer {
  const row = parsed(line);
  const id = typeof row?.id === "number" ? row.id : (text(row?.id) ?? "");
  const command = row === null ? null : commandOf(row);
  if (row === null || command === null) return { id, verdict: "ask", rules: ["bad-line"], us: 0 };
  const world = worldOf(options, text(row.cwd) ?? options.root);
  const started = process.hrtime.bigint();
  const { verdict } = judgeCommand(command, defaultSettings, world);
  const us = Number(process.hrtime.bigint() - started) / 1000;
  const decision = verdict.decision === "continue" ? "ask" : verdict.decision;
  return { id, verdict: decision, rules: verdict.by, us: Math.round(us) };
}

function worldOf(options: BatchOptions, cwd: string): World {
  return {
    root: options.root,
    cwd,
    home: options.home,
    tmp: [options.tmp],
    platform: "linux",
    realpath: (path) => path,
  };
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    return dict(JSON.parse(line) as unknown);
  } catch {
    return null;
  }
}

function commandOf(row: Readonly<Record<string, unknown>>): string | null {
  const command = text(row.cmd);
  if (command !== null) return command;
  const gen = dict(row.gen);
  const unit = text(gen.unit);
  const count = typeof gen.n === "number" && gen.n >= 0 && gen.n <= 10_000_000 ? gen.n : null;
  if (unit === null || count === null) return null;
  return (text(gen.prefix) ?? "") + unit.repeat(count) + (text(gen.suffix) ?? "");
}
