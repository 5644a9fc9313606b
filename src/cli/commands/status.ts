import type { Exam } from "../../doctor/check.ts";
import { switchedOffHere } from "../../doctor/checks/environment.ts";
import { launcherFaults } from "../../doctor/checks/launcher-file.ts";
import { heard } from "../../doctor/checks/life.ts";
import { hasLine, hintsOf } from "../../doctor/hand-line.ts";
import { examine } from "../../doctor/index.ts";
import { doctorSession } from "../../doctor/sample.ts";
import { installedScopes } from "../../doctor/standing.ts";
import { ago } from "../../doctor/time.ts";
import { readEntries } from "../../journal/read.ts";
import type { Entry } from "../../journal/write.ts";
import type { Args, Outcome, Spec } from "../command.ts";
import { examOf } from "../exam.ts";
import { problemLines, table } from "../output.ts";
import { manifestName } from "../situation.ts";

export const spec: Spec = {
  usage: "status",
  options: {},
  positionals: 0,
  examples: ["holdfast", "holdfast status --json"],
};

/** One line of the overview. */
interface Row {
  readonly agent: string;
  readonly title: string;
  readonly scopes: readonly string[];
  readonly present: boolean;
  /** `ok`, `attention` when doctor has something to say, `off` when not installed. */
  readonly light: "ok" | "attention" | "off";
  /** Codes of what doctor has against it; empty unless the light is `attention`. */
  readonly troubles: readonly string[];
  readonly heard: string;
}

/** One screen: which agents are guarded, which were heard from, the last decision, what to do next. */
export async function run(args: Args): Promise<Outcome> {
  const { screen } = args;
  const exam = await examOf(args);
  const { findings } = await examine(exam, { quick: true });
  const problems = findings.map(({ problem }) => problem).filter(({ severity }) => severity === "error");
  const { entries } = readEntries(exam.holdfastHome);
  const everywhere = [...switchedOffHere(exam), ...launcherFaults(exam)];
  const rows = exam.setups.map((setup): Row => {
    const { id, title } = setup.agent;
    const byHand = hintsOf(setup, exam.machine).some(hasLine);
    const scopes = byHand ? ["project"] : installedScopes(setup, exam.machine);
    const own = problems.filter(({ where }) => where.agent === id);
    const troubles = [...own, ...(scopes.length === 0 ? [] : everywhere)].map(({ code }) => code);
    const light = troubles.length > 0 ? "attention" : scopes.length === 0 ? "off" : "ok";
    return {
      agent: id,
      title,
      scopes,
      present: exam.present.includes(id),
      light,
      troubles: [...new Set(troubles)],
      heard: heard(entries, id, exam),
    };
  });
  const last = lastDecision(entries, exam.project?.root ?? null);
  const next = nextStep(rows, problems.length);
  for (const found of switchedOffHere(exam))
    for (const line of problemLines(found, screen.paint, screen.path)) screen.print(line);
  for (const line of table(
    rows.filter(({ present, light }) => present || light !== "off").map((row) => cells(row, args)),
  )) {
    screen.print(line);
  }
  screen.print(`\n${screen.paint.dim("settings")}  ${manifestName(exam.manifest, screen.path)}`);
  if (last !== null) screen.print(`${screen.paint.dim("last stop")} ${sentence(last, exam)}`);
  screen.print(`${screen.paint.dim("next")}      ${next}`);
  const healthy = problems.length === 0;
  return {
    exitCode: healthy ? 0 : 1,
    data: { agents: rows, settings: exam.manifest.file, last, next },
    findings: problems,
  };
}

function cells({ title, scopes, light, troubles, heard: life }: Row, { screen }: Args): string[] {
  const { paint } = screen;
  const lights = { ok: paint.green("●"), attention: paint.red("✕"), off: paint.dim("○") };
  if (light === "off") return [lights.off, title, paint.dim("not guarded here"), ""];
  const word = light === "attention" ? paint.red(`in trouble: ${troubles.join(", ")}`) : life;
  return [lights[light], paint.bold(title), scopes.join(", "), word];
}

/** The newest event that did not simply go through: of this project, where there is one. */
function lastDecision(entries: readonly Entry[], root: string | null): Entry | null {
  const stopped = ({ decision, session, project }: Entry) =>
    decision !== "allow" && session !== doctorSession && (root === null || project === root);
  return entries.findLast(stopped) ?? null;
}

function sentence({ at, agent, decision, summary, by }: Entry, { now }: Exam): string {
  const what = summary === "" ? "" : `  ${summary}`;
  return `${decision} ${ago(now - Date.parse(at))} in ${agent}${what}${by.length === 0 ? "" : `  (${by.join(", ")})`}`;
}

function nextStep(rows: readonly Row[], problems: number): string {
  const installed = rows.filter(({ light }) => light !== "off");
  if (problems > 0) return `holdfast doctor   (${problems} problem${problems === 1 ? "" : "s"})`;
  if (installed.length === 0) return "holdfast install";
  return installed.some((row) => row.heard === "no event yet") ? "holdfast prove" : "nothing; all is well";
}
