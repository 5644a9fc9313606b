import { basename } from "node:path";
import { ProblemError, problem } from "../core/problem.ts";
import type { AgentSetup } from "../core/setup.ts";
import { agentMark } from "../runtime/environment.ts";
import { type Args, Interrupted } from "./command.ts";
import { isCommit } from "./effect.ts";
import { setups } from "./situation.ts";

/**
 * Throws unless a person runs this: at a terminal, not inside an agent. What only a person may grant must not be
 * within reach of the agent that wants it.
 */
export function mustBePerson(args: Args, what: string): void {
  const { terminal, ancestors } = args;
  mustNotBeAgent(args, what);
  if (!terminal) throw refused(what, "its input is not a terminal");
  const agent =
    ancestors()
      .map(agentIn)
      .find((title) => title !== null) ?? null;
  if (agent !== null) throw refused(what, `it was started from ${agent}`);
  const maker = ancestors()
    .flatMap((args) => args.slice(0, 2).flatMap(programNames))
    .find((name) => terminalMakers.test(name));
  if (maker !== undefined) throw refused(what, `its terminal was made by ${maker}`);
}

/** Throws inside a command that an agent started, also in a script that is started by it. A CI job may run it. */
export function mustNotBeAgent({ env }: Args, what: string): void {
  const mark = agentMark(env);
  if (mark !== null) throw refused(what, `${mark} is set, as agents set it for the commands they run`);
}

/** Programs that give a terminal to what no person types into. */
const terminalMakers = /^(?:script|expect|unbuffer|autoexpect|socat|faketty|pty|setsid)$/;

/** Asks at the terminal that `mustBePerson` has seen, whatever flags say; only a typed yes counts. Throws on a no. */
export async function confirmedByPerson(args: Args, question: string, declined: string): Promise<void> {
  if (!(await (await args.prompts()).confirm(question, false))) throw new Interrupted(declined);
}

function refused(what: string, cause: string): ProblemError {
  const hint = "Type it yourself, in a terminal that no agent started.";
  return new ProblemError(problem("HF012", `${what} is for a person only`, { cause, hint }));
}

/** The agent whose program a process is, by the name it was started with or the package its script lies in. */
function agentIn(args: readonly string[]): string | null {
  const names = args.slice(0, 2).flatMap(programNames);
  return setups.find((setup) => !isCommit(setup.agent) && isCalled(setup, names))?.agent.title ?? null;
}

function programNames(path: string): string[] {
  const inPackage = /node_modules\/(?:@[^/]+\/)?([^/]+)\//.exec(path)?.[1];
  const own = basename(path).replace(/\.(?:[cm]?js|exe|cmd)$/i, "");
  return inPackage === undefined ? [own] : [own, inPackage];
}

function isCalled({ agent, detect }: AgentSetup, names: readonly string[]): boolean {
  return names.some((name) => name === agent.id || detect.commands.includes(name));
}
