import type { Agent } from "../../core/agent.ts";
import { type Problem, problem } from "../../core/problem.ts";
import { isDict, parsedDict } from "../../core/read.ts";
import type { AgentSetup, FilePlan } from "../../core/setup.ts";
import { verdict } from "../../core/verdict.ts";
import { run } from "../../runtime/spawn.ts";
import type { Check, Exam } from "../check.ts";
import { protectedPath, samplePayload, worldOf } from "../sample.ts";
import { installedScopes } from "../standing.ts";
import { launcherFaults } from "./launcher-file.ts";

/**
 * The command in the agents' files finds Holdfast and gets the right answer from it: each distinct one is run
 * from end to end with a sample event, as the agent would run it.
 */
export const check: Check = {
  id: "launcher",
  words: "the installed commands start Holdfast and stop a write to a protected file",
  slow: true,
  async find(exam) {
    // One that is not there or may not run has a check of its own, which starts nothing.
    if (launcherFaults(exam).length > 0 || exam.machine.platform === "win32") return [];
    const results = await Promise.all(exam.setups.map((setup) => tryOut(setup, exam)));
    return results.flat();
  },
};

async function tryOut(setup: AgentSetup, exam: Exam): Promise<Problem[]> {
  const plans = installedScopes(setup, exam.machine).flatMap((scope) => setup.files(scope, exam.machine));
  const command = plans.map(commandOf).find((one) => one !== null) ?? null;
  const path = protectedPath(exam.manifest.settings, worldOf(exam));
  if (command === null || path === null) return [];
  const cwd = exam.machine.root ?? exam.cwd;
  const payload = samplePayload(path, cwd);
  const shell = `printf '%s' '${payload.replaceAll("'", `'\\''`)}' | {\n${command}\n}`;
  const result = await run({ shell }, { cwd, env: environment(exam), timeoutMs: 20_000, mergeStderr: false });
  const out = result.output.toString("utf8").trim();
  if (result.end === "exited" && (result.code === 2 || isRefusal(out, setup.agent, payload))) return [];
  const said = out === "" ? result.stderr.trim() : out;
  const cause =
    said === "" ? `it said nothing and ended with ${result.code ?? result.signal ?? result.end}` : said;
  const message = `the installed command did not stop a write to ${path}`;
  const where = { agent: setup.agent.id };
  return [
    problem("HF107", message, {
      cause: cause.slice(0, 400),
      hint: "holdfast install writes it anew.",
      where,
    }),
  ];
}

/** The command a tool call would start; null where the agent has no command, such as a plugin file. */
function commandOf(plan: FilePlan): string | null {
  if (!("ours" in plan)) return null;
  return plan.ours.find((command) => command.includes(" pre-tool")) ?? null;
}

/** Is this what the agent's own `reply` says to refuse the call, whatever the reason? */
function isRefusal(out: string, agent: Agent, payload: string): boolean {
  const call = { event: "pre-tool", argv: [], env: {}, cwd: "/" };
  const event = agent.parse(JSON.parse(payload), call);
  if (event === null) return false;
  const refusal = agent.reply(verdict({ decision: "deny", reason: anyReason }), event).stdout;
  return holds(parsedDict(out), parsedDict(refusal));
}

const anyReason = "any reason";

function holds(said: unknown, wanted: unknown): boolean {
  if (isDict(wanted)) {
    return isDict(said) && Object.entries(wanted).every(([key, value]) => holds(said[key], value));
  }
  return wanted === anyReason ? typeof said === "string" && said !== "" : said !== null && said === wanted;
}

function environment({ env, home }: Exam): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => !["HOLDFAST", "HOLDFAST_CHILD"].includes(name));
  const known = own.filter((pair): pair is [string, string] => pair[1] !== undefined);
  // What is asked only to see whether it works is no call that went unchecked.
  return { ...Object.fromEntries(known), HOME: home, HOLDFAST_DOCTOR: "1" };
}
