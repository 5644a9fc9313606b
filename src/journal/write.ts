import { appendFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { shortId } from "../core/call.ts";
import type { Event } from "../core/event.ts";
import type { Tool } from "../core/tool.ts";
import type { Verdict } from "../core/verdict.ts";
import { makeDirs } from "../runtime/files.ts";
import { type KeptCall, keepCall } from "./kept-call.ts";
import { redact } from "./redact.ts";

/** One line of the journal: what came in, what was decided, by which rule, and how long it took. */
export interface Entry {
  /** ISO time of the answer. */
  readonly at: string;
  readonly agent: string;
  readonly event: string;
  readonly session: string | null;
  readonly project: string | null;
  readonly tool: string | null;
  /** Redacted, at most 200 characters. */
  readonly summary: string;
  readonly decision: string;
  readonly by: readonly string[];
  /** Milliseconds from the start of the process to the answer. */
  readonly ms: number;
  /** Short name of a tool call that was stopped, or that a person let through; null for every other. */
  readonly id: string | null;
  /** Stands for exactly that call, see `callKey`; what an approval is bound to. */
  readonly call: string | null;
  /** What was decided before the agent's limits turned an ask into a refusal. */
  readonly decided: string;
  readonly cwd: string | null;
  /** What was there at that moment decided, not the call alone. */
  readonly weighed?: true;
  /** What the tool was asked to do, redacted; null for other events. */
  readonly input: KeptCall | null;
}

/** How a verdict came about, besides the verdict that the agent got. */
export interface Came {
  readonly decided: Verdict;
  /** The call's key, when it was stopped or a person let it through. */
  readonly key: string | null;
}

/** Bytes after which the journal is rotated; one older file is kept. */
const cap = 4 * 1024 * 1024;

/** Appends one entry to `<home>/journal.jsonl`. Throws when the disk does not take it. */
export function writeEntry(home: string, entry: Entry): void {
  const file = join(home, "journal.jsonl");
  makeDirs(home);
  if (sizeOf(file) > cap) renameSync(file, `${file}.1`);
  appendFileSync(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

/** The entry for one judged event. */
export function entryOf(
  event: Event,
  verdict: Verdict,
  project: string | null,
  ms: number,
  { decided, key }: Came,
): Entry {
  const tool = "tool" in event ? event.tool : null;
  return {
    at: new Date().toISOString(),
    agent: event.agent,
    event: event.name,
    session: event.session,
    project,
    tool: tool?.name ?? null,
    summary: tool === null ? "" : redact(summarise(tool)).slice(0, 200),
    decision: verdict.decision,
    by: verdict.by,
    ms: Math.round(ms * 10) / 10,
    id: key === null ? null : shortId(key),
    call: key,
    decided: decided.decision,
    cwd: event.cwd,
    ...(decided.weighed === true ? { weighed: true } : {}),
    input: event.name === "pre-tool" ? keepCall(event.tool) : null,
  };
}

/** The entry for something a person permitted. */
export function personEntry(
  event: "allow" | "snooze",
  project: string | null,
  summary: string,
  by: readonly string[],
): Entry {
  const at = new Date().toISOString();
  const none = { session: null, tool: null, id: null, call: null, cwd: null, input: null, ms: 0 };
  const said = { decision: "allow", decided: "allow" };
  return { ...none, ...said, at, agent: "person", event, project, summary: redact(summary), by };
}

function summarise(tool: Tool): string {
  switch (tool.kind) {
    case "shell":
      return tool.commands.join(" ; ").slice(0, 1000);
    case "patch":
      return (tool.patch.match(/^\*\*\* (?:Add|Update|Delete) File: .*$/gm) ?? []).join(", ").slice(0, 1000);
    default:
      return tool.paths.join(", ").slice(0, 1000);
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
