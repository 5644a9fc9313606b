import type { Known } from "../../core/can.ts";
import { type Coverage, coverage, type Rule, rules } from "../../core/coverage.ts";
import { readMachine } from "../../install/detect.ts";
import { type Args, done, type Outcome, type Screen, type Spec } from "../command.ts";
import { flow, table } from "../output.ts";
import { agentsNamed } from "../situation.ts";
import { type Found, findAgents } from "../surroundings.ts";

export const spec: Spec = {
  usage: "coverage [--agent <names>]",
  options: {
    agent: {
      type: "string",
      multiple: true,
      value: "names",
      help: "only these agents, with every cell in full",
    },
  },
  positionals: 0,
  examples: ["holdfast coverage", "holdfast coverage --agent codex,cursor", "holdfast coverage --json"],
  notes: [
    "How each fact is known: ran (seen in the real program), source (read in its shipped code),",
    "docs (its documentation says so), guess. The table in the README is printed from the same data.",
  ],
};

interface Row {
  readonly found: Found;
  readonly cells: readonly { readonly rule: Rule; readonly covered: Coverage }[];
}

/** The agent × rule table: what each rule comes to in each agent, and how that is known. */
export async function run(args: Args): Promise<Outcome> {
  const named = agentsNamed(args.options.agent);
  const found = findAgents(await readMachine(args));
  const rows = found
    .filter(({ setup }) => named === null || named.includes(setup))
    .map(
      (one): Row => ({
        found: one,
        cells: rules.map((rule) => ({ rule, covered: coverage(rule, one.setup.agent.can) })),
      }),
    );
  showTable(args.screen, rows);
  if (!args.globals.quiet) {
    showLegend(args.screen);
    const detailed = rows.filter((row) => named !== null || isHere(row));
    for (const row of detailed) showReasons(args.screen, row, named !== null || args.globals.verbose);
  }
  return done({ agents: rows.map(dataOf) });
}

function isHere({ found: { present, installed } }: Row): boolean {
  return present || installed.length > 0;
}

function showTable(screen: Screen, rows: readonly Row[]): void {
  const { paint } = screen;
  const head = [" ", "", ...rules.map(({ id }) => id), "known"];
  const lines = rows.map((row) => {
    const { setup, installed } = row.found;
    const here = isHere(row) ? paint.dim("○") : " ";
    return [
      installed.length > 0 ? paint.green("●") : here,
      isHere(row) ? paint.bold(setup.agent.title) : setup.agent.title,
      ...row.cells.map(({ covered }) => covered.brief),
      weakest(row),
    ];
  });
  for (const line of table([head, ...lines], "")) screen.print(line);
}

const surest: readonly Known[] = ["ran", "source", "docs", "guess"];

/** How sure the least sure of the facts in a row is; what an agent does not do is no claim. */
function weakest({ cells }: Row): Known {
  const claims = cells
    .filter(({ covered }) => covered.brief !== "–")
    .map(({ covered }) => covered.cell.known);
  return surest.findLast((known) => claims.includes(known)) ?? "guess";
}

const legend: readonly (readonly [string, string])[] = [
  ["●", "guarded here"],
  ["○", "on this machine, not guarded here"],
  ["protect", "writes to protected files: blocked, or refused when they are committed"],
  ["risky", "risky commands: you are asked, or they are refused and yours to run"],
  ["tests", "failing tests: the agent is sent back, or the commit is refused"],
  ["review", "a very large change: you are told"],
  ["–", "the agent has no way to do it"],
  ["known", "ran, source, docs or guess: the least sure fact of the row"],
];

function showLegend(screen: Screen): void {
  screen.print();
  for (const line of table(legend, "")) screen.print(screen.paint.dim(line));
}

/** Why an agent does less than it might, and where that was seen; with `everything` the other cells too. */
function showReasons(screen: Screen, { found, cells }: Row, everything: boolean): void {
  const { title } = found.setup.agent;
  const weaker = cells.filter(({ covered }) => covered.cell.effect !== "yes" || covered.brief === "–");
  const shown = everything ? cells : weaker;
  if (shown.length === 0) return;
  const here = found.version === null ? "" : `   ${found.version} is here`;
  screen.print(`\n${screen.paint.bold(title)}${here}`);
  const widest = Math.max(...rules.map((rule) => rule.title.length));
  for (const { rule, covered } of shown) {
    const { note, known, seen } = covered.cell;
    const what = covered.words === "–" ? "not possible" : covered.words;
    const words = [...`${what}. ${note}`.trim().split(" "), `(${known}: ${seen})`];
    for (const line of flow(`  ${rule.title.padEnd(widest)}  `, words, screen.width)) screen.print(line);
  }
}

function dataOf({ found, cells }: Row) {
  const { setup, present, version, installed } = found;
  return {
    agent: setup.agent.id,
    title: setup.agent.title,
    present,
    version,
    installed,
    rules: cells.map(({ rule, covered: { words, cell } }) => ({
      rule: rule.id,
      does: words === "–" ? null : words,
      ...cell,
    })),
  };
}
