import { type Problem, ProblemError, problem } from "../core/problem.ts";
import type { AgentSetup } from "../core/setup.ts";
import type { Exam } from "../doctor/check.ts";
import { examine } from "../doctor/index.ts";
import { listen } from "../doctor/live.ts";
import { installedScopes } from "../doctor/standing.ts";
import type { Entry } from "../journal/write.ts";
import { formatDuration, parseDuration } from "../manifest/duration.ts";
import { type Args, done, no, type Outcome } from "./command.ts";
import { flow } from "./output.ts";
import { usage } from "./parse.ts";

const usualMs = 5 * 60_000;
const mostMs = 24 * 3_600_000;

/** `doctor --live`: waits for the first real event of each installed agent and says what was heard. */
export async function live(args: Args, exam: Exam): Promise<Outcome> {
  const timeoutMs = timeoutOf(args.options.timeout);
  const { screen } = args;
  const setups = exam.setups.filter((setup) => installedScopes(setup, exam.machine).length > 0);
  if (setups.length === 0) return nobody(args, exam);
  const names = setups.map(({ agent }) => agent.title).join(", ");
  screen.progress(`Waiting up to ${formatDuration(timeoutMs)} for the first event of ${names}.`);
  screen.progress("Start each of them in this project and let it run a command; Ctrl-C ends the wait.");
  const heard: Entry[] = [];
  const vigil = {
    holdfastHome: exam.holdfastHome,
    agents: setups.map(({ agent }) => agent.id),
    since: exam.now,
    timeoutMs,
  };
  const silent = await listen(vigil, (entry) => {
    heard.push(entry);
    const title = setups.find(({ agent }) => agent.id === entry.agent)?.agent.title ?? entry.agent;
    screen.print(`${screen.paint.green("✓")} ${screen.paint.bold(title)}  heard: ${wordsFor(entry)}`);
  });
  const findings = await Promise.all(
    setups.filter(({ agent }) => silent.includes(agent.id)).map((setup) => silence(setup, exam, timeoutMs)),
  );
  for (const { setup, found } of findings) showSilence(args, setup, found);
  const data = {
    heard: heard.map(({ agent, event, tool, at }) => ({ agent, event, tool, at })),
    silent,
    timeoutMs,
  };
  return silent.length === 0
    ? done(data)
    : no(
        data,
        findings.map(({ found }) => found),
      );
}

function timeoutOf(value: unknown): number {
  if (typeof value !== "string") return usualMs;
  const ms = parseDuration(value);
  if (ms !== null && ms > 0 && ms <= mostMs) return ms;
  throw new ProblemError(usage(`--timeout wants a time such as 90s, 5m or 1h, not "${value}"`, ""));
}

function nobody({ screen, options, positionals }: Args, { setups }: Exam): Outcome {
  const named = options.agent !== undefined || positionals.length > 0;
  const titles = setups.map(({ agent }) => agent.title).join(", ");
  const message = named
    ? `${titles} is not guarded here, so nothing can be heard`
    : "no agent is guarded here, so nothing can be heard";
  const ids = setups.map(({ agent }) => agent.id).join(",");
  const found = problem("HF508", message, { hint: `holdfast install${named ? ` --agent ${ids}` : ""}` });
  screen.problem(found);
  return no({ heard: [], silent: [] }, [found]);
}

/** `pre-tool Bash at 14:02:11`, in the time of the machine. */
function wordsFor({ event, tool, at }: Entry): string {
  return `${event}${tool === null ? "" : ` ${tool}`} at ${new Date(at).toTimeString().slice(0, 8)}`;
}

interface Silence {
  readonly setup: AgentSetup;
  readonly found: Problem;
}

/** What to try next: what doctor has against it, else the step that only the person can take, else a proof. */
async function silence(setup: AgentSetup, exam: Exam, timeoutMs: number): Promise<Silence> {
  const { id } = setup.agent;
  const { findings } = await examine({ ...exam, setups: [setup] }, { quick: true });
  const blame = findings
    .map((finding) => finding.problem)
    .find(({ severity, where }) => severity === "error" && where.agent === id);
  const scope = installedScopes(setup, exam.machine)[0] ?? "project";
  const { words } = setup.activation(scope);
  const byProof = setup.launch === null ? "" : `holdfast prove ${id}   (starts it against a scripted model)`;
  const byCommit = Object.values(setup.agent.events).includes("pre-commit") ? "Commit something here." : "";
  const hint =
    blame === undefined
      ? [words, byCommit, byProof].filter((part) => part !== "").join("\n")
      : `${blame.message}. ${blame.hint}`;
  const message = `nothing heard in ${formatDuration(timeoutMs)}`;
  const cause = blame?.code ?? "";
  return {
    setup,
    found: problem("HF507", message, { severity: "warning", hint, cause, where: { agent: id } }),
  };
}

function showSilence({ screen }: Args, { agent }: AgentSetup, { message, hint }: Problem): void {
  screen.print(`${screen.paint.red("✕")} ${screen.paint.bold(agent.title)}  ${message}`);
  for (const part of hint.split("\n"))
    for (const line of flow(`   ${screen.paint.dim("→")} `, part.split(" "), screen.width))
      screen.print(line);
}
