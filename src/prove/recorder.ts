import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "../core/agent.ts";
import { type Dict, dict, parsedDict, text } from "../core/read.ts";
import { readPayload } from "../runtime/payload.ts";
import { compareShapes, fieldsRead, mergeShapes, type Shape, shapeOf } from "./shape.ts";
import { quoted, type Theatre, writeProgram } from "./stage.ts";

/** What an agent hands its hooks, by its own name for the event and the tool: `PreToolUse Bash`. */
export interface Shapes {
  /** Version of the agent. */
  readonly version: string;
  readonly events: Readonly<Record<string, Shape>>;
}

/** Shapes of one run and what they say about those that were known before. */
export interface Payloads {
  /** Known and seen together; the seen ones alone where nothing was known of this version. */
  readonly shapes: Shapes;
  /** The version of the known ones; null when there are none. */
  readonly comparedWith: string | null;
  /** Differences that a reader trips over, in words. */
  readonly failures: readonly string[];
  /** Differences that are only news, in words. */
  readonly notes: readonly string[];
}

/** The known shapes in a file; null when there is no such file or it holds none. */
export function readShapes(file: string): Shapes | null {
  if (!existsSync(file)) return null;
  const known = parsedDict(readFileSync(file, "utf8"));
  const version = text(known?.version);
  if (known === null || version === null) return null;
  const events = Object.entries(dict(known.events)).map(([name, shape]) => [name, textsOf(dict(shape))]);
  return { version, events: Object.fromEntries(events) };
}

/**
 * Puts a script in front of the launcher that keeps a copy of what every hook is handed. Nothing of it is part
 * of Holdfast: a person's hooks record no payloads. To be done again after each install.
 */
export function recordPayloads(theatre: Theatre): void {
  const launcher = join(theatre.home, ".holdfast", "bin", "holdfast");
  const real = join(theatre.home, ".holdfast", "bin", "launcher");
  const folder = payloadFolder(theatre);
  if (!existsSync(launcher)) return;
  mkdirSync(folder, { recursive: true });
  renameSync(launcher, real);
  const script = `[ "$1" = hook ] || exec ${quoted(real)} "$@"
into=$(mktemp ${quoted(join(folder, "XXXXXXXX"))}) && cat > "$into" && printf %s "$3" > "$into.event" || exit 0
exec ${quoted(real)} "$@" < "$into"
`;
  writeProgram(launcher, script);
}

/** Reads what was recorded and compares its shape with the known one. */
export function readRecorded(
  agent: Agent,
  theatre: Theatre,
  version: string,
  known: Shapes | null,
): Payloads {
  const calls = recordedCalls(theatre).map((call) => ({ ...call, ...understood(agent, call) }));
  const names = [...new Set(calls.map(({ name }) => name))].sort();
  const events: Record<string, Shape> = {};
  const failures = missingEvents(known, names);
  const notes: string[] = [];
  for (const name of names) {
    const ones = calls.filter((call) => call.name === name);
    const read = new Set(ones.flatMap((call) => [...call.read]));
    const seen = shapeOf(ones.map(({ payload }) => payload));
    const before = known?.events[name];
    events[name] = before !== undefined && known?.version === version ? mergeShapes(before, seen) : seen;
    if (known !== null && before === undefined) notes.push(`${name}: was not seen before`);
    if (before === undefined) continue;
    const drift = compareShapes(before, seen, (path) => read.has(path));
    failures.push(...drift.failures.map((words) => `${name}: ${words}`));
    notes.push(...drift.notes.map((words) => `${name}: ${words}`));
  }
  const kept = known?.version === version ? { ...known.events, ...events } : events;
  return { shapes: { version, events: sorted(kept) }, comparedWith: known?.version ?? null, failures, notes };
}

/** The agent's own name for a hook call, with that of the tool; the event as it was given where it has none. */
export function nameOfCall(agent: Agent, event: string, payload: unknown): string {
  const parsed = agent.parse(payload, { event, argv: [], env: {}, cwd: "/" });
  if (parsed === null) return event;
  return "tool" in parsed ? `${parsed.native} ${parsed.tool.name}`.trim() : parsed.native;
}

interface RecordedCall {
  /** Event as our command line names it. */
  readonly event: string;
  readonly payload: unknown;
}

function recordedCalls(theatre: Theatre): RecordedCall[] {
  const folder = payloadFolder(theatre);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith(".event"));
  return files.flatMap((file) => {
    const event = readFileSync(join(folder, file), "utf8");
    const bytes = readFileSync(join(folder, file.replace(/\.event$/, "")));
    return readPayload(bytes).documents.map((payload) => ({ event, payload }));
  });
}

/** The agent's own name for the call, and the fields our parser looked at to find it. */
function understood(agent: Agent, { event, payload }: RecordedCall) {
  let name = event;
  const read = fieldsRead(payload, (watched) => {
    name = nameOfCall(agent, event, watched);
  });
  return { name, read };
}

/** An event that no longer comes is a failure, one that comes for another tool is told as new. */
function missingEvents(known: Shapes | null, names: readonly string[]): string[] {
  const nativeOf = (name: string) => name.split(" ")[0];
  const seen = new Set(names.map(nativeOf));
  const before = new Set(Object.keys(known?.events ?? {}).map(nativeOf));
  return [...before].filter((event) => !seen.has(event)).map((event) => `${event}: was never sent`);
}

function sorted(events: Readonly<Record<string, Shape>>): Readonly<Record<string, Shape>> {
  return Object.fromEntries(Object.entries(events).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Beside home and project, so that `--keep` keeps it. */
function payloadFolder({ root }: Theatre): string {
  return join(root, "payloads");
}

function textsOf(shape: Dict): Shape {
  return Object.fromEntries(
    Object.entries(shape).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
