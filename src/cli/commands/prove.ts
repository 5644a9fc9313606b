import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { catalog } from "../../agents/catalog.ts";
import { type Problem, ProblemError, problem } from "../../core/problem.ts";
import { dict } from "../../core/read.ts";
import type { AgentSetup } from "../../core/setup.ts";
import { insideMark, loopbackOnly, onInterrupt } from "../../prove/network.ts";
import { run as runProcess } from "../../prove/process.ts";
import { findProgram, isExecutable, toolFolders } from "../../prove/program.ts";
import { proveAgent } from "../../prove/prove.ts";
import { readShapes, type Shapes } from "../../prove/recorder.ts";
import { type AgentReport, type ProofResult, type Report, worst } from "../../prove/report.ts";
import { self } from "../../prove/self.ts";
import { removeStages } from "../../prove/stage.ts";
import type { Args, Outcome, Screen, Spec } from "../command.ts";
import { table } from "../output.ts";
import { usageCode } from "../parse.ts";

export const spec: Spec = {
  usage: "prove [agent…]",
  options: {
    bin: {
      type: "string",
      multiple: true,
      value: "agent=path",
      help: "use this program instead of the one on PATH; may be given several times",
    },
    cloned: {
      type: "boolean",
      help: "also show that committed hooks harm nobody whose Holdfast is missing or broken",
    },
    shapes: {
      type: "string",
      value: "folder",
      help: "compare what the agents hand their hooks with the shapes in this folder",
    },
    keep: { type: "boolean", help: "keep the throw-away home and project for inspection" },
    timeout: {
      type: "string",
      value: "seconds",
      help: "how long one run of an agent may take (default 180)",
    },
  },
  examples: ["holdfast prove", "holdfast prove claude-code --keep", "holdfast prove --json > proof.json"],
  positionals: 20,
};

interface Chosen {
  readonly setup: AgentSetup;
  readonly program: string;
}

/** Runs the person's own agents in a throw-away home against a scripted model. */
export async function run(args: Args): Promise<Outcome> {
  const chosen = choose(args);
  const report = args.env[insideMark] ? await proveHere(chosen, args, true) : await proveCutOff(chosen, args);
  show(report, args.screen, args.globals.verbose);
  return outcome(report);
}

/** Starts this command again in a network that holds nothing but loopback, or stays here when there is none. */
async function proveCutOff(chosen: readonly Chosen[], args: Args): Promise<Report> {
  const env = { PATH: args.env.PATH ?? "", HOME: args.home };
  const options = { cwd: args.cwd, env, timeoutMs: 10_000 };
  const prefix = await loopbackOnly(args.platform, options);
  if (prefix === null) return proveHere(chosen, args, false);
  const bins = chosen.flatMap(({ setup, program }) => ["--bin", `${setup.agent.id}=${program}`]);
  const ids = chosen.map(({ setup }) => setup.agent.id);
  const flags = flagsOf(args);
  const undo = onInterrupt("SIGTERM", () => {});
  const ran = await runProcess(
    [...prefix, ...self(), "prove", ...ids, ...bins, ...flags, "--json", "--verbose"],
    {
      cwd: args.cwd,
      env: { ...env, TMPDIR: tmpdir(), USER: args.env.USER ?? "", [insideMark]: "1" },
      timeoutMs: chosen.length * 20 * timeoutMs(args),
      onLine: progressOf(args),
    },
  );
  undo();
  const report = reportIn(ran.stdout);
  if (report !== null) return report;
  throw new ProblemError(
    problem("HF901", "the proofs could not be run", {
      cause: ran.cause || ran.stderr.trim() || `ended with ${ran.exitCode}`,
      hint: "holdfast prove --verbose",
    }),
  );
}

async function proveHere(chosen: readonly Chosen[], args: Args, cutOff: boolean): Promise<Report> {
  const undo = onInterrupt("SIGKILL", args.options.keep ? () => {} : removeStages);
  const agents: AgentReport[] = [];
  for (const { setup, program } of chosen) {
    agents.push(
      await proveAgent(setup, {
        program,
        holdfast: self(),
        programs: toolFolders(args.env.PATH),
        under: tmpdir(),
        user: args.env.USER || "someone",
        keep: args.options.keep === true,
        cloned: args.options.cloned === true,
        shapes: knownShapes(args),
        timeoutMs: timeoutMs(args),
        progress: progressOf(args),
      }),
    );
  }
  undo();
  return { loopbackOnly: cutOff, agents };
}

function flagsOf(args: Args): string[] {
  const { keep, cloned, shapes } = args.options;
  const given = [...(keep ? ["--keep"] : []), ...(cloned ? ["--cloned"] : [])];
  const folder = typeof shapes === "string" ? ["--shapes", shapes] : [];
  return [...given, ...folder, "--timeout", String(timeoutMs(args) / 1000)];
}

function knownShapes({ options, cwd }: Args): ((agent: string) => Shapes | null) | null {
  const { shapes } = options;
  if (typeof shapes !== "string") return null;
  return (agent) => readShapes(resolve(cwd, shapes, `${agent}.json`));
}

/** With --json the screen is silent; whoever wants to watch all the same says --verbose. */
function progressOf({ globals, screen }: Args): (text: string) => void {
  return globals.json && globals.verbose ? (text) => process.stderr.write(`${text}\n`) : screen.progress;
}

function choose(args: Args): Chosen[] {
  const provable = Object.values<AgentSetup>(catalog).filter(({ launch }) => launch !== null);
  const known = provable.map(({ agent }) => agent.id);
  for (const id of [...args.positionals, ...bins(args).keys()]) {
    if (!known.includes(id)) {
      const hint = `agents that can be proved: ${known.join(", ")}`;
      throw new ProblemError(problem(usageCode, `${id} cannot be proved`, { hint }));
    }
  }
  const asked =
    args.positionals.length === 0
      ? provable
      : provable.filter(({ agent }) => args.positionals.includes(agent.id));
  const found = asked.flatMap((setup) => {
    const program = programOf(setup, args);
    return program === null ? [] : [{ setup, program }];
  });
  const missing = asked.filter((setup) => !found.some((one) => one.setup === setup));
  if (found.length === 0 || (args.positionals.length > 0 && missing.length > 0)) throw notFound(missing);
  return found;
}

function programOf(setup: AgentSetup, args: Args): string | null {
  const given = bins(args).get(setup.agent.id);
  if (given === undefined) {
    const paths = setup.detect.commands.map((name) => findProgram(name, args.env.PATH));
    return paths.find((path) => path !== null) ?? null;
  }
  const path = resolve(args.cwd, given);
  if (isExecutable(path)) return path;
  throw new ProblemError(problem("HF903", `${path} is not a program that can be run`));
}

function bins(args: Args): Map<string, string> {
  const given = args.options.bin;
  return new Map(
    (Array.isArray(given) ? given : []).map((pair: string) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function notFound(missing: readonly AgentSetup[]): ProblemError {
  const commands = missing.map(({ agent, detect }) => `${agent.title} (${detect.commands.join(", ")})`);
  return new ProblemError(
    problem("HF902", "no agent to prove was found on PATH", {
      hint: `install one of: ${commands.join(", ")}; or name it with --bin agent=path; or try: holdfast demo`,
    }),
  );
}

function timeoutMs({ options }: Args): number {
  const seconds = Number(options.timeout ?? 180);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw new ProblemError(problem(usageCode, `--timeout takes seconds, not "${String(options.timeout)}"`));
}

function reportIn(stdout: string): Report | null {
  try {
    const data = dict(dict(JSON.parse(stdout)).data);
    return Array.isArray(data.agents) ? (data as unknown as Report) : null;
  } catch {
    return null;
  }
}

function outcome(report: Report): Outcome {
  const drifted = report.agents.some(({ payloads }) => (payloads?.failures.length ?? 0) > 0);
  const status = drifted ? "failed" : worst(report.agents.map((agent) => agent.status));
  const exitCode = status === "held" ? 0 : status === "failed" ? 1 : 3;
  return { exitCode, data: report, findings: report.agents.flatMap(findings) };
}

function findings({ agent, title, status, why, proofs, payloads }: AgentReport): Problem[] {
  const where = { agent };
  const drift = (payloads?.failures ?? []).map((cause) => {
    return problem("HF905", `${title}: what it hands its hooks has changed`, { where, cause });
  });
  if (status === "not-run" && why !== "") return [problem("HF904", `${title}: ${why}`, { where })];
  const others = proofs.filter((proof) => proof.status !== "held");
  return [
    ...drift,
    ...others.map((proof) => {
      const code = proof.status === "failed" ? "HF905" : "HF904";
      return problem(code, `${title}: ${proof.words}`, { where, cause: proof.why });
    }),
  ];
}

function show({ agents, loopbackOnly }: Report, screen: Screen, verbose: boolean): void {
  const { paint } = screen;
  for (const agent of agents) {
    screen.print();
    screen.print(`${paint.bold(agent.title)} ${agent.version}  ${paint.dim(screen.path(agent.program))}`);
    if (agent.why !== "") screen.print(`  ${paint.yellow("could not be run:")} ${agent.why}`);
    const lines = table(agent.proofs.map((proof) => row(proof, screen)));
    for (const [at, proof] of agent.proofs.entries()) {
      screen.print(lines[at]);
      if (proof.why !== "") screen.print(`      ${proof.why}`);
      if (verbose || proof.fired === false || isRefusal(proof)) showTold(proof, screen);
    }
    for (const words of agent.payloads?.failures ?? [])
      screen.print(`  ${paint.red("✕")}  changed: ${words}`);
    for (const words of agent.payloads?.notes ?? []) screen.print(`  +  new: ${words}`);
    for (const words of agent.notProved) screen.print(paint.dim(`  – not shown: ${words}`));
    if (agent.stage !== null) screen.print(`  kept: ${agent.stage}`);
  }
  screen.print();
  screen.print(closing(loopbackOnly));
}

function row({ status, words, fired, disk }: ProofResult, { paint }: Screen): string[] {
  const sign = { held: paint.green("✓"), failed: paint.red("✕"), "not-run": paint.yellow("?") }[status];
  const hook = fired === null ? "" : fired ? "fired" : paint.red("not fired");
  return [sign, words, hook, paint.dim(disk)];
}

/** The words of a refusal are half of the proof; what a harmless call says is the agent's own. */
function isRefusal({ id }: ProofResult): boolean {
  return ["protected-write", "protected-shell", "risky-command", "tests-fail"].includes(id);
}

function showTold({ told }: ProofResult, { print, paint, width }: Screen): void {
  if (told === "") return;
  const room = Math.max(40, width - 20);
  print(paint.dim(`      told: “${told.length > room ? `${told.slice(0, room)}…` : told}”`));
}

function closing(loopbackOnly: boolean): string {
  const always = "No account, nothing spent: the model was a script";
  return loopbackOnly
    ? `${always}, and the agents could reach nothing but this machine.`
    : `${always}. The network was not cut off: that takes Linux with unshare and ip.`;
}
