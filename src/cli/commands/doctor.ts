import { type Problem, ProblemError } from "../../core/problem.ts";
import type { Examination, Finding } from "../../doctor/check.ts";
import { check as environment } from "../../doctor/checks/environment.ts";
import { examine, repair } from "../../doctor/index.ts";
import type { Args, Outcome, Screen, Spec } from "../command.ts";
import { examOf } from "../exam.ts";
import { live } from "../live.ts";
import { problemLines } from "../output.ts";
import { usage } from "../parse.ts";

export const spec: Spec = {
  usage: "doctor [--fix | --live [agent]]",
  options: {
    fix: { type: "boolean", help: "repair what is safe to repair" },
    agent: { type: "string", multiple: true, value: "names", help: "look at these agents only" },
    live: { type: "boolean", help: "wait for the first real event of each agent from now on" },
    timeout: { type: "string", value: "time", help: "how long --live waits, e.g. 90s (default 5m)" },
    strict: { type: "boolean", help: "exit 1 on warnings as well" },
  },
  positionals: 1,
  examples: [
    "holdfast doctor",
    "holdfast doctor --fix",
    "holdfast doctor --live codex",
    "holdfast doctor --json --strict",
  ],
  notes: [
    "Faults that hooks had in the last seven days are shown until a later event of this project went without them.",
    "--verbose shows those that are over and those of other projects as well.",
  ],
};

/** Looks for everything that is wrong, and says what to type next. */
export async function run(args: Args): Promise<Outcome> {
  const { screen, globals } = args;
  let exam = await examOf(forAgent(args));
  if (args.options.live === true) return live(args, exam);
  let found = await examine(exam);
  let fixed: string[] = [];
  if (args.options.fix === true) {
    fixed = await repair(exam, found.findings);
    if (fixed.length > 0) {
      exam = await examOf(args);
      found = await examine(exam);
    }
  }
  for (const words of fixed) screen.print(`${screen.paint.green("✓")} ${words}`);
  show(screen, found, globals.verbose);
  const problems = found.findings.map((finding) => finding.problem);
  const bad = problems.some(
    ({ severity }) => severity === "error" || (args.options.strict === true && severity === "warning"),
  );
  return { exitCode: bad ? 1 : 0, data: { passed: found.passed, fixed }, findings: problems };
}

/** `doctor --live codex` is `doctor --live --agent codex`. */
function forAgent(args: Args): Args {
  const [agent] = args.positionals;
  const { live: isLive, timeout, agent: named } = args.options;
  if (agent !== undefined && isLive !== true)
    throw new ProblemError(
      usage(`"doctor" does not know what to do with "${agent}"`, `holdfast doctor --agent ${agent}`),
    );
  if (timeout !== undefined && isLive !== true)
    throw new ProblemError(usage("--timeout says how long --live waits", "holdfast doctor --live"));
  if (args.options.fix === true && isLive === true)
    throw new ProblemError(usage("--live only waits and repairs nothing", "holdfast doctor --fix"));
  if (agent === undefined) return args;
  if (named !== undefined)
    throw new ProblemError(usage("name the agent once", `holdfast doctor --live ${agent}`));
  return { ...args, options: { ...args.options, agent } };
}

function show(screen: Screen, { findings, passed }: Examination, verbose: boolean): void {
  const { paint } = screen;
  const [first, rest] = [true, false].map((isFirst) =>
    findings.filter(({ check }) => (check === environment.id) === isFirst).map(({ problem }) => problem),
  );
  const tell = (found: Problem) => {
    for (const line of problemLines(found, paint, screen.path)) screen.print(line);
  };
  first?.forEach(tell);
  screen.print(`${paint.green("✓")} ${passed.length} check${passed.length === 1 ? "" : "s"} passed`);
  if (verbose) for (const words of passed) screen.print(paint.dim(`    ${words}`));
  const order = { error: 0, warning: 1, info: 2 };
  rest?.toSorted((a, b) => order[a.severity] - order[b.severity]).forEach(tell);
  const summary = summarise(findings);
  if (summary !== "") screen.print(summary);
}

function summarise(findings: readonly Finding[]): string {
  const problems = findings.map(({ problem }) => problem);
  const counted = (severity: Problem["severity"], word: string) => {
    const count = problems.filter((found) => found.severity === severity).length;
    return count === 0 ? [] : [`${count} ${word}${count === 1 ? "" : "s"}`];
  };
  const parts = [
    ...counted("error", "problem"),
    ...counted("warning", "warning"),
    ...counted("info", "note"),
  ];
  const fixable = problems.filter((found) => found.fixable).length;
  const fix = fixable === 0 ? "" : ` · \`holdfast doctor --fix\` repairs ${fixable}`;
  return parts.length === 0 ? "" : `${parts.join(", ")}${fix}`;
}
