import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Agent, Reply } from "../../core/agent.ts";
import { carry } from "../../core/carry.ts";
import type { Event } from "../../core/event.ts";
import { causeOf, ProblemError, problem } from "../../core/problem.ts";
import type { Decision, Verdict } from "../../core/verdict.ts";
import { type Decided, decide } from "../../pipeline/decide.ts";
import { type Args, done, no, type Outcome, type Spec } from "../command.ts";
import { effectWords } from "../effect.ts";
import { type IdleContext, idleContext } from "../idle-context.ts";
import { eventNamed, makeEvent } from "../make-event.ts";
import { table } from "../output.ts";
import { usage } from "../parse.ts";
import { agentsNamed, manifestName, type Situation, setups, situationOf } from "../situation.ts";

export const spec: Spec = {
  usage: "simulate <event> [--tool <kind>] [--command <text> | --path <file>]",
  options: {
    tool: { type: "string", value: "kind", help: "shell, write, edit, delete, patch, read, mcp …" },
    command: { type: "string", value: "text", help: "the command line of a shell call" },
    path: {
      type: "string",
      multiple: true,
      value: "file",
      help: "the file of a call, or a file staged for a commit",
    },
    content: { type: "string", value: "text", help: "what is written, or the text of a patch" },
    prompt: { type: "string", value: "text", help: "the text of a prompt" },
    agent: { type: "string", multiple: true, value: "names", help: "show these agents' answers" },
    "all-agents": { type: "boolean", help: "show every agent's answer, also of those without the event" },
    event: { type: "string", value: "file", help: "a payload as an agent sends it (JSON), - for stdin" },
    failing: { type: "boolean", help: "let the tests fail; they are never really run" },
    expect: { type: "string", value: "verdict", help: "exit 1 unless it is allow, ask, deny or continue" },
  },
  positionals: 1,
  examples: [
    "holdfast simulate pre-tool --tool write --path .env --expect deny",
    'holdfast simulate pre-tool --command "git push -f origin main"',
    "holdfast simulate turn-end --failing",
    "holdfast simulate --agent codex --event payload.json",
  ],
};

/** One agent's part of the answer. */
interface Answer {
  readonly agent: string;
  readonly does: string;
  readonly carried: Decision;
  readonly reply: Reply;
}

/** Sends one event through the same engine as the live hook; nothing is run and nothing is remembered. */
export async function run(args: Args): Promise<Outcome> {
  const expected = expectation(args);
  const situation = await situationOf(args);
  const { event, agents } = await eventOf(args);
  const { settings } = situation.manifest;
  const context = idleContext(event, situation.root, args, {
    tests: args.options.failing === true ? "fail" : "pass",
    staged: textsOf(args.options.path),
  });
  const decided = await decide(event, settings, context);
  const answers = agents.map((agent) => answerOf(agent, event, decided.verdict));
  show(args, situation, event, decided, answers, context);
  // With one agent named, what that agent would do is what counts.
  const named = agentsNamed(args.options.agent)?.length === 1 ? answers[0]?.carried : undefined;
  const got = named ?? decided.verdict.decision;
  const data = {
    event,
    verdict: decided.verdict,
    handlers: decided.said,
    agents: answers,
    wouldRun: context.wouldRun,
  };
  if (expected === null || expected === got) return done(data);
  return no(data, [mismatch(args, expected, got)]);
}

function mismatch(args: Args, expected: Decision, got: Decision) {
  const found = problem("HF005", `expected ${expected}, got ${got}`);
  args.screen.problem(found);
  return found;
}

const verdicts: readonly Decision[] = ["allow", "ask", "deny", "continue"];

function expectation(args: Args): Decision | null {
  const { expect } = args.options;
  if (typeof expect !== "string") return null;
  const found = verdicts.find((word) => word === expect);
  if (found !== undefined) return found;
  throw new ProblemError(usage(`--expect wants ${verdicts.join(", ")}; it was given "${expect}"`, ""));
}

async function eventOf(args: Args): Promise<{ event: Event; agents: readonly Agent[] }> {
  const all = setups.map(({ agent }) => agent);
  const named = agentsNamed(args.options.agent)?.map(({ agent }) => agent) ?? null;
  const { event: file, tool, command, content, prompt } = args.options;
  if (typeof file === "string") return recorded(args, file, named ?? all);
  const [word] = args.positionals;
  if (word === undefined) {
    throw new ProblemError(
      usage("simulate wants an event", "holdfast simulate pre-tool --tool write --path .env"),
    );
  }
  const name = eventNamed(word, all);
  const having = all.filter((agent) => Object.values(agent.events).includes(name));
  const agents = named ?? (args.options["all-agents"] === true ? all : having);
  const sender = agents[0] ?? all[0];
  if (sender === undefined) throw new Error("there are no agents");
  const event = makeEvent(name, sender, args.cwd, {
    tool: textOf(tool),
    command: textOf(command),
    path: textsOf(args.options.path)[0] ?? null,
    content: textOf(content),
    prompt: textOf(prompt),
  });
  return { event, agents };
}

/** Reads a payload; without `--agent` the first agent that understands it is taken. */
async function recorded(args: Args, file: string, candidates: readonly Agent[]) {
  const text = file === "-" ? await args.stdin() : readPayload(resolve(args.cwd, file));
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new ProblemError(
      problem("HF006", "the payload is not JSON", { cause: causeOf(error), where: { file } }),
    );
  }
  const call = { event: args.positionals[0] ?? null, argv: [], env: args.env, cwd: args.cwd };
  const read = candidates.flatMap((agent) => {
    const event = agent.parse(raw, call);
    return event === null ? [] : [{ event, agent }];
  });
  const [first, ...others] = read;
  if (first === undefined) {
    const hint =
      "Say which agent sent it: --agent <name>; and which event, if the payload does not: holdfast simulate pre-tool --event …";
    throw new ProblemError(problem("HF006", "no agent sends a payload like this", { hint, where: { file } }));
  }
  const also = others.map(({ agent }) => agent.id).join(", ");
  args.screen.progress(
    `Read as ${first.agent.id}'s${also === "" ? "" : ` (${also} would fit too; --agent decides)`}.`,
  );
  return { event: first.event, agents: [first.agent] };
}

function readPayload(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ProblemError(
      problem("HF006", "the payload cannot be read", { cause: causeOf(error), where: { file } }),
    );
  }
}

function answerOf(agent: Agent, event: Event, verdict: Verdict): Answer {
  const has = Object.values(agent.events).includes(event.name);
  const native = Object.entries(agent.events).find(([, name]) => name === event.name)?.[0] ?? event.native;
  const own: Event = event.agent === agent.id ? event : { ...event, agent: agent.id, native };
  const carried = carry(verdict, own, agent.can).verdict;
  return {
    agent: agent.id,
    does: has ? effectWords(agent, event.name, verdict.decision) : "has no such event",
    carried: has ? carried.decision : "allow",
    reply: has ? agent.reply(carried, own) : { stdout: "", stderr: "", exitCode: 0 },
  };
}

function show(
  { screen }: Args,
  { manifest }: Situation,
  event: Event,
  { verdict, said }: Decided,
  answers: readonly Answer[],
  { wouldRun }: IdleContext,
): void {
  const { paint } = screen;
  const label = (text: string) => paint.dim(text.padEnd(9));
  screen.print(`${label("event")}${describe(event)}`);
  screen.print(`${label("settings")}${manifestName(manifest, screen.path)}`);
  for (const { name, verdict: one, ms } of said) {
    const by = one.by.length === 0 ? "" : `  ${one.by.join(", ")}`;
    screen.print(
      `${label("asked")}${name.padEnd(8)} ${one.decision}${by}  ${paint.dim(`${ms.toFixed(1)} ms`)}`,
    );
  }
  for (const command of wouldRun) screen.print(`${label("would run")} ${command}`);
  screen.print(`${label("verdict")}${paint.bold(verdict.decision)}`);
  const texts = [verdict.reason, ...verdict.messages].filter((text) => text !== "");
  for (const line of texts.flatMap((text) => text.split("\n"))) screen.print(`${label("")}${line}`);
  if (answers.length === 0) return;
  screen.print();
  const rows = answers.map(({ agent, does, reply }) => [
    paint.bold(agent),
    does,
    `exit ${reply.exitCode}`,
    paint.dim(clip(reply.stdout || reply.stderr, Math.max(20, screen.width - 56))),
  ]);
  for (const line of table(rows)) screen.print(line);
}

function describe(event: Event): string {
  if (event.name === "prompt") return `prompt · ${clip(event.prompt, 60)}`;
  if (!("tool" in event)) return event.name;
  const { tool } = event;
  const what =
    tool.kind === "shell"
      ? tool.commands.join(" ; ")
      : tool.kind === "patch"
        ? "a patch"
        : tool.paths.join(", ");
  return `${event.name} · ${tool.kind}${what === "" ? "" : ` · ${clip(what, 100)}`}`;
}

function clip(text: string, width: number): string {
  const line = text.trim().replaceAll("\n", "⏎");
  return line.length > width ? `${line.slice(0, width - 1)}…` : line;
}

function textOf(option: Args["options"][string]): string | null {
  return typeof option === "string" ? option : null;
}

function textsOf(option: Args["options"][string]): readonly string[] {
  return Array.isArray(option) ? option : [];
}
