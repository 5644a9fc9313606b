import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "../../core/event.ts";
import { ProblemError, problem } from "../../core/problem.ts";
import type { AgentSetup } from "../../core/setup.ts";
import type { Decision } from "../../core/verdict.ts";
import { doctorSession } from "../../doctor/sample.ts";
import { findProject } from "../../git/project.ts";
import { readMachine } from "../../install/detect.ts";
import { eventOf } from "../../journal/kept-call.ts";
import { readEntries } from "../../journal/read.ts";
import type { Entry } from "../../journal/write.ts";
import { parseSpan } from "../../manifest/duration.ts";
import { holdfastHome } from "../../runtime/home.ts";
import { type Args, done, no, type Outcome, type Spec } from "../command.ts";
import { type JudgedAgain, judgeAgain } from "../judge-again.ts";
import { table } from "../output.ts";
import { usage } from "../parse.ts";
import { agentsNamed, setups, situationOf } from "../situation.ts";

export const spec: Spec = {
  usage: "replay",
  options: {
    since: { type: "string", value: "time", help: "only calls of the last 7d, 12h, 30m" },
    session: { type: "string", value: "id", help: "only calls of this session" },
    agent: { type: "string", multiple: true, value: "names", help: "only calls of these agents" },
    everywhere: { type: "boolean", help: "calls of all projects, not only of this one" },
    "from-transcripts": {
      type: "boolean",
      help: "what the agents themselves wrote down, for the time before Holdfast was there",
    },
  },
  positionals: 0,
  examples: [
    "holdfast replay --since 7d",
    "holdfast replay --everywhere --agent codex",
    "holdfast replay --from-transcripts --agent codex",
  ],
};

/** A call from the past. */
interface Past {
  readonly at: string;
  readonly event: Event;
  readonly project: string | null;
  readonly before: Decision;
}

interface Gathered {
  readonly calls: readonly Past[];
  /** Why some calls cannot be judged again, with how many there are. */
  readonly left: ReadonlyMap<string, number>;
}

/** Sends past calls through today's rules and prints only what would be decided otherwise; exit 1 if anything. */
export async function run(args: Args): Promise<Outcome> {
  const { root } = await situationOf(args);
  const wanted = filterOf(args, args.options.everywhere === true ? null : root);
  const { calls, left } =
    args.options["from-transcripts"] === true ? await fromTranscripts(args) : fromJournal(args);
  const judge = judgeAgain(args);
  const differences: JudgedAgain[] = [];
  let judged = 0;
  for (const { at, event, project, before } of calls.filter(wanted)) {
    judged++;
    const now = await judge(event, project);
    if (now.decision !== before) differences.push({ at, event, before, now });
  }
  show(args, differences, judged, left);
  const data = { judged, differences, left: Object.fromEntries(left) };
  if (differences.length === 0) return done(data);
  return no(data, [problem("HF014", summary(differences.length, judged), { severity: "info" })]);
}

function fromJournal(args: Args): Gathered {
  const left = new Map<string, number>();
  const leave = (why: string) => left.set(why, (left.get(why) ?? 0) + 1);
  const calls: Past[] = [];
  for (const entry of readEntries(holdfastHome(args.env, args.home)).entries) {
    // What doctor asks to see whether it works is no call of an agent.
    if (entry.event !== "pre-tool" || entry.session === doctorSession) continue;
    const event = eventOf(entry);
    const why = event === null ? "written before calls were kept" : unrepeatable(entry);
    if (event === null || why !== null) leave(why ?? "");
    else calls.push({ at: entry.at, event, project: entry.project, before: decisionOf(entry.decided) });
  }
  return { calls, left };
}

/** Verdicts that hung on more than the call: on git, on the moment, or on a person. */
function unrepeatable({ by, weighed, input }: Entry): string | null {
  if (by.some((rule) => rule === "allowed-once" || rule === "snoozed")) return "let through by a person";
  if (weighed === true || by.some((rule) => rule === "nothing-lost" || rule === "files/unsaved"))
    return "decided by what was there at that moment";
  return input?.exact === true ? null : "kept without their secrets or their end";
}

function decisionOf(text: string): Decision {
  return text === "ask" || text === "deny" ? text : "allow";
}

async function fromTranscripts(args: Args): Promise<Gathered> {
  const machine = await readMachine(args);
  const calls: Past[] = [];
  const left = new Map<string, number>();
  const call = { event: "pre-tool", argv: [], env: {}, cwd: args.cwd };
  for (const { agent, transcripts } of agentsNamed(args.options.agent) ?? setups) {
    for (const file of transcripts?.folders(machine).flatMap(transcriptsIn) ?? []) {
      for (const payload of transcripts?.calls(linesOf(file)) ?? []) {
        const event = agent.parse(payload, call);
        // What is in a transcript ran, or the person said no to it: nothing but the agent stopped it.
        const project = findProject(event?.cwd ?? null, event?.projectHint ?? null, args.home)?.root ?? null;
        if (event !== null) calls.push({ at: atOf(payload), event, project, before: "allow" });
      }
    }
  }
  if (calls.length === 0) left.set("no transcript was found", 1);
  return { calls, left };
}

function transcriptsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function linesOf(file: string): unknown[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as unknown];
      } catch {
        // The last line may be half written.
        return [];
      }
    });
}

function atOf(payload: unknown): string {
  const { timestamp } = payload as { readonly timestamp?: unknown };
  return typeof timestamp === "string" ? timestamp : "";
}

/** @param root the project whose calls are wanted; null: of all */
function filterOf({ options }: Args, root: string | null): (past: Past) => boolean {
  const after = options.since === undefined ? 0 : Date.now() - sinceMs(String(options.since));
  const names = agentsNamed(options.agent)?.map(({ agent }: AgentSetup) => agent.id) ?? null;
  return ({ at, event, project }) =>
    (root === null || project === root) &&
    (after === 0 || Date.parse(at) >= after) &&
    (options.session === undefined || event.session === options.session) &&
    (names === null || names.includes(event.agent));
}

function sinceMs(text: string): number {
  const ms = parseSpan(text);
  if (ms !== null && ms > 0) return ms;
  throw new ProblemError(
    usage(`--since wants a time; it was given "${text}"`, "For example 7d, 12h or 30m."),
  );
}

const mostShown = 50;

function show(
  { screen, globals }: Args,
  differences: readonly JudgedAgain[],
  judged: number,
  left: ReadonlyMap<string, number>,
): void {
  const shown = globals.verbose ? differences : differences.slice(0, mostShown);
  const rows = shown.map(({ at, event, before, now }) => [
    screen.paint.dim(at.slice(0, 16).replace("T", " ")),
    event.agent,
    `${before} → ${screen.paint.bold(now.decision)}`,
    now.by.join(", "),
    whatOf(event).replaceAll("\n", "⏎").slice(0, 100),
  ]);
  for (const line of table(rows)) screen.print(line);
  if (differences.length > shown.length)
    screen.print(`… and ${differences.length - shown.length} more (--verbose shows all)`);
  screen.print(summary(differences.length, judged));
  for (const [why, count] of left) screen.print(screen.paint.dim(`not judged again: ${count} ${why}`));
}

function whatOf(event: Event): string {
  if (event.name !== "pre-tool") return "";
  const { tool } = event;
  if (tool.kind === "shell") return tool.commands.join(" ; ");
  return tool.kind === "patch" ? "a patch" : `${tool.kind} ${tool.paths.join(", ")}`;
}

function summary(differences: number, judged: number): string {
  const calls = `${judged} call${judged === 1 ? "" : "s"}`;
  return differences === 0
    ? `Today's rules decide the same about all ${calls}.`
    : `${differences} of ${calls} would be decided otherwise today.`;
}
