import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { causeOf, ProblemError, problem } from "../../core/problem.ts";
import type { AgentSetup } from "../../core/setup.ts";
import { doctorSession } from "../../doctor/sample.ts";
import { ago } from "../../doctor/time.ts";
import { readEntries } from "../../journal/read.ts";
import { decide } from "../../pipeline/decide.ts";
import { liveWorld } from "../../runtime/context.ts";
import { holdfastHome } from "../../runtime/home.ts";
import { type Args, done, type Outcome, type Screen, type Spec } from "../command.ts";
import { effectWords, isCommit } from "../effect.ts";
import {
  type ExplainedHit,
  type ExplainedRisk,
  type Explanation,
  eventFor,
  explainCommand,
  explainPath,
  isPath,
} from "../explanation.ts";
import { idleContext } from "../idle-context.ts";
import { usage } from "../parse.ts";
import { agentsNamed, setups, situationOf } from "../situation.ts";

export const spec: Spec = {
  usage: 'explain "<command>" | <path>',
  options: {
    file: { type: "string", value: "file", help: "read the command from a file, - for stdin" },
    agent: { type: "string", multiple: true, value: "names", help: "say what these agents would do" },
    as: { type: "string", value: "what", help: "command or path, where one word could be either" },
    last: { type: "boolean", help: "the newest call that was stopped (also: holdfast why)" },
    everywhere: { type: "boolean", help: "with --last: in any project, not only in this one" },
    batch: { type: "boolean", help: "many commands as JSON lines on stdin, one answer per line" },
    root: { type: "string", value: "dir", help: "with --batch: the imagined project" },
    home: { type: "string", value: "dir", help: "with --batch: the imagined home folder" },
    tmp: { type: "string", value: "dir", help: "with --batch: the imagined temp folder" },
  },
  positionals: 1,
  examples: [
    'holdfast explain "git push --force origin main"',
    "holdfast explain .env",
    "pbpaste | holdfast explain --file -",
    "holdfast explain --batch --root /home/dev/app --home /home/dev --tmp /tmp < commands.jsonl",
  ],
  notes: [
    "With --batch, one JSON object a line, judged by the built-in rules in an imagined project:",
    '  in   {"id": "1", "cmd": "rm -rf build", "cwd": "/home/dev/app"}   cwd may be left out: the root',
    '  out  {"id": "1", "verdict": "allow", "rules": [], "us": 120}      allow, ask or deny; us: microseconds',
    '  A line that is no such object is answered with ask and the rule "bad-line". Nothing is looked up on disk.',
    "  Left out, --root is /home/dev/app, --home is /home/dev and --tmp is /tmp.",
  ],
};

/** Why a command or a path would be stopped, by the same engine as the live hook. */
export async function run(args: Args): Promise<Outcome> {
  if (args.options.batch === true) return batch(args);
  if (args.options.last === true) return last(args);
  const { kind, subject } = await subjectOf(args);
  const { root, manifest } = await situationOf(args);
  const agents = agentsNamed(args.options.agent) ?? setups;
  const event = eventFor(kind, subject, args.cwd, agents[0]?.agent.id ?? "");
  const context = idleContext(event, root, args, { tests: "pass", staged: [] });
  const { verdict } = await decide(event, manifest.settings, context);
  const world = liveWorld(root, args.cwd, args.env, args.home);
  const explain = kind === "command" ? explainCommand : explainPath;
  const explanation = explain(subject, manifest, world, verdict);
  const effects = agents.map((setup) => ({ agent: setup.agent.id, does: effectOn(setup, explanation) }));
  show(args.screen, explanation, effects);
  return done({ ...explanation, agents: effects });
}

/** The newest call that was stopped, judged again where it happened. */
async function last(args: Args): Promise<Outcome> {
  const { root } = await situationOf(args);
  const stops = readEntries(holdfastHome(args.env, args.home)).entries.filter(
    ({ decision, input, session }) => decision !== "allow" && input !== null && session !== doctorSession,
  );
  const isHere = root !== null && args.options.everywhere !== true;
  const stopped = stops.findLast(({ project }) => !isHere || project === root);
  if (stopped === undefined) {
    const elsewhere =
      stops.length === 0 ? "" : " In another project something was: holdfast why --everywhere";
    args.screen.print(`Nothing was stopped${isHere ? " in this project" : ""} yet.${elsewhere}`);
    return done(null);
  }
  const { at, agent, decision, by, id, input, cwd, project } = stopped;
  const label = args.screen.paint.dim("stopped".padEnd(10));
  const when = ago(Date.now() - Date.parse(at));
  args.screen.print(
    `${label}${when} in ${agent}: ${decision} by ${by.join(", ")}${id === null ? "" : `  #${id}`}`,
  );
  const [subject] = input?.commands ?? [];
  const as = subject === undefined ? "path" : "command";
  const what = subject ?? input?.paths[0] ?? "";
  const there = cwd ?? project;
  const where = there !== null && existsSync(there) ? there : args.cwd;
  if (what === "") return done(stopped);
  return run({ ...args, cwd: where, positionals: [what], options: { agent: args.options.agent, as } });
}

/** Measures the guard: the imagined machine of the options, the default policy, nothing looked up on disk. */
async function batch(args: Args): Promise<Outcome> {
  const { explainBatch } = await import("./explain-batch.ts");
  const option = (name: string, otherwise: string) => {
    const value = args.options[name];
    return typeof value === "string" ? value : otherwise;
  };
  const input = Readable.from([await args.stdin()]);
  const imagined = {
    root: option("root", "/home/dev/app"),
    home: option("home", "/home/dev"),
    tmp: option("tmp", "/tmp"),
  };
  const answers: unknown[] = [];
  for await (const line of explainBatch(input, imagined)) {
    args.screen.print(line.trimEnd());
    if (args.globals.json) answers.push(JSON.parse(line));
  }
  return done(answers);
}

async function subjectOf(args: Args): Promise<Pick<Explanation, "kind" | "subject">> {
  const { file, as } = args.options;
  const [argument] = args.positionals;
  if (typeof file === "string") {
    const text = file === "-" ? await args.stdin() : readCommand(resolve(args.cwd, file));
    return { kind: "command", subject: text.replace(/\n$/, "") };
  }
  if (argument === undefined) {
    throw new ProblemError(usage("explain wants a command or a path", 'holdfast explain "git push --force"'));
  }
  if (as === "command" || as === "path") return { kind: as, subject: argument };
  if (as !== undefined) throw new ProblemError(usage("--as wants command or path", ""));
  return { kind: isPath(argument, args.cwd) ? "path" : "command", subject: argument };
}

function readCommand(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ProblemError(
      problem("HF006", "the file cannot be read", { cause: causeOf(error), where: { file } }),
    );
  }
}

function effectOn({ agent }: AgentSetup, { verdict, hits }: Explanation): string {
  if (!isCommit(agent)) return effectWords(agent, "pre-tool", verdict.decision);
  return hits.length > 0 ? "commit of it refused" : "not asked";
}

function show(
  screen: Screen,
  explanation: Explanation,
  effects: readonly { readonly agent: string; readonly does: string }[],
): void {
  const { paint } = screen;
  const { verdict, kind, steps, hits, risks, notSeen, change } = explanation;
  const block = (label: string, lines: readonly string[]) => {
    for (const [index, line] of lines.entries())
      screen.print(`${paint.dim((index === 0 ? label : "").padEnd(10))}${line}`);
  };
  if (kind === "path") block("read as", ["a path an agent wants to write"]);
  block(
    "parsed",
    steps.flatMap((step, index) => stepLines(step, index + 1)),
  );
  if (kind === "command" && steps.length === 0) block("parsed", ["nothing that runs"]);
  block(
    "hit",
    hits.map((hit) => hitLine(hit, screen)),
  );
  block("risk", risks.flatMap(riskLines));
  const by = verdict.by.length === 0 ? "" : `  ${paint.dim(`by ${verdict.by.join(", ")}`)}`;
  block("verdict", [`${paintVerdict(screen, verdict.decision)}${by}`]);
  block(
    "told",
    verdict.reason.split("\n").filter((line) => line !== ""),
  );
  block("not seen", notSeen);
  block("per agent", byEffect(effects));
  block("change", [change]);
}

function stepLines({ text, effects }: Explanation["steps"][number], number: number): string[] {
  const head = `${String(number).padStart(2)}  ${text.replaceAll("\n", "⏎")}`;
  return [head, ...effects.map((effect) => `    → ${effect}`)];
}

function hitLine({ path, pattern, from, via, real }: ExplainedHit, screen: Screen): string {
  const origin = from === "built-in" ? "built-in list" : `${screen.path(from.file)}:${from.line}`;
  const leads = real === null ? "" : `, which leads to ${real},`;
  const how = via === "" ? "" : `  (${via})`;
  return `${screen.paint.bold(path)}${leads} is protected by "${pattern}", ${origin}${how}`;
}

function riskLines({ rule, at, words, loss, safer }: ExplainedRisk): string[] {
  const more = [loss === "" ? "" : `    lost:  ${loss}`, safer === "" ? "" : `    safer: ${safer}`];
  return [`${rule}: \`${at}\` ${words}`, ...more.filter((line) => line !== "")];
}

function paintVerdict({ paint }: Screen, decision: string): string {
  if (decision === "allow") return paint.green(decision);
  return decision === "deny" ? paint.red(decision) : paint.yellow(decision);
}

/** One line an effect, with the agents it holds for: the effects are few, the agents many. */
function byEffect(effects: readonly { readonly agent: string; readonly does: string }[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { agent, does } of effects) groups.set(does, [...(groups.get(does) ?? []), agent]);
  return [...groups].map(([does, agents]) => `${does}: ${agents.join(", ")}`);
}
