import { causeOf, type Problem, ProblemError, problem } from "../../core/problem.ts";
import type { Machine } from "../../core/setup.ts";
import { applyInstall } from "../../install/apply.ts";
import { readMachine } from "../../install/detect.ts";
import { installLauncher, launcherIsCurrent, launcherPath } from "../../install/launcher.ts";
import type { Ledger } from "../../install/ledger.ts";
import { removeLeftovers } from "../../install/leftovers.ts";
import { detectTests } from "../../policies/verify/detect-tests.ts";
import { holdfastHome } from "../../runtime/home.ts";
import { type Args, done, Interrupted, no, type Outcome, type Spec } from "../command.ts";
import { commandFor, obstacleTo } from "../install-obstacle.ts";
import { ledgerOf, type Prepared, prepare } from "../install-plan.ts";
import { runnable, showFound, showNext, showWritten } from "../install-screen.ts";
import {
  type Detail,
  isShortened,
  scopeWords,
  showAbilities,
  showElsewhere,
  showForeign,
  showMissing,
  showPlan,
} from "../plan-output.ts";
import { needProject, type Situation, setups, situationOf } from "../situation.ts";
import { disk, findAgents } from "../surroundings.ts";
import { type Choices, choose, type Known } from "../wizard.ts";

export const spec: Spec = {
  usage: "install [--agent <names>] [--scope project|user|local]",
  options: {
    agent: {
      type: "string",
      multiple: true,
      value: "names",
      help: "which agents, for example claude-code,codex,git",
    },
    scope: {
      type: "string",
      value: "scope",
      help: "project (everyone), local (only me) or user (all my projects)",
    },
    "test-command": { type: "string", value: "command", help: 'how the tests are run; "" for none' },
    "on-failure": { type: "string", value: "what", help: "retry-then-ask, ask or notify" },
    protect: {
      type: "string",
      multiple: true,
      value: "patterns",
      help: "protected files, instead of the built-in list",
    },
    "dry-run": { type: "boolean", help: "show every change, write nothing" },
    "no-prove": { type: "boolean", help: "do not offer to prove it afterwards" },
  },
  positionals: 0,
  examples: [
    "holdfast install",
    "holdfast install --yes --agent claude-code,git --test-command 'pnpm test'",
    "holdfast install --dry-run --json",
  ],
};

/** The wizard, and the same without questions: detect, ask, show every change, write once agreed. */
export async function run(args: Args): Promise<Outcome> {
  const situation = await situationOf(args);
  const machine = await readMachine(args);
  const ledger = ledgerOf(holdfastHome(args.env, args.home), machine);
  const known = await knownOf(args, situation, machine);
  showFound(args, known);
  const choices = await choose(args, known);
  const obstacle = obstacleTo(choices, args, machine);
  if (obstacle !== null) return stopped(args, obstacle);
  if (choices.scope !== "user") needProject(machine.root, args.cwd);
  args.screen.print(`${args.screen.paint.dim("Where")}  ${scopeWords[choices.scope]}\n`);
  let prepared = prepare(choices, machine, ledger);
  if (args.options["dry-run"] !== true)
    prepared = await withEditedFiles(args, choices, machine, ledger, prepared);
  showAbilities(args.screen, prepared, machine);
  showForeign(args.screen, prepared, machine);
  showPlan(args.screen, prepared.plan, detailFor(args));
  showMissing(args.screen, prepared, choices.scope);
  showElsewhere(args.screen, prepared, choices.scope);
  const data = planData(choices, prepared);
  const { refused } = prepared.plan;
  if (prepared.wanted.length === 0) return nothingWanted(args, prepared, data);
  if (args.options["dry-run"] === true) return concluded(prepared, data);
  if (prepared.plan.changes.every(({ step }) => step === null) && refused.length === 0)
    return write(args, known, prepared, data);
  const nobody = await consent(args, choices, prepared);
  if (nobody !== null) return no(data, [...refused, nobody]);
  const outcome = write(args, known, prepared, data);
  return outcome.exitCode === 0 && (await wantsProof(args, prepared)) ? prove(args, prepared) : outcome;
}

/** Not even the launcher: whoever is told "not installed" must find nothing that looks as if it were. */
function nothingWanted(args: Args, { plan, refused }: Prepared, data: object): Outcome {
  if (refused.length > 0) {
    args.screen.print("Nothing was written.");
    return no(data, plan.refused);
  }
  const found = problem("HF010", "none of these agents can be installed there, so nothing was written", {
    hint: "holdfast install --help",
  });
  args.screen.problem(found);
  return no(data, [found]);
}

/** With --yes nobody reads a diff before it is written: the names that follow are enough, --verbose gives the rest. */
function detailFor({ globals, options }: Args): Detail {
  if (globals.verbose) return "everything";
  return globals.yes && options["dry-run"] !== true ? "notes" : "diffs";
}

async function knownOf(args: Args, { root, manifest }: Situation, machine: Machine): Promise<Known> {
  const detected = root === null ? null : detectTests(root, args.cwd, disk);
  return {
    found: findAgents(machine),
    machine,
    settings: manifest.settings,
    hasManifest: manifest.file !== null,
    detectedTests: detected?.command ?? null,
  };
}

function stopped({ screen }: Args, found: Problem): Outcome {
  screen.problem(found);
  return no(null, [found]);
}

/** Asks about files of ours that were edited by hand; without a person they are left alone. */
async function withEditedFiles(
  args: Args,
  choices: Choices,
  machine: Machine,
  ledger: Ledger,
  prepared: Prepared,
): Promise<Prepared> {
  const edited = prepared.plan.refused.filter(({ fixable, where }) => fixable && where.file !== undefined);
  if (!args.interactive || edited.length === 0) return prepared;
  const prompts = await args.prompts();
  const agreed = new Set<string>();
  for (const { where } of edited) {
    const file = where.file ?? "";
    const question = `${args.screen.path(file)} was edited by hand. Replace it? A backup is kept.`;
    if (await prompts.confirm(question, false)) agreed.add(file);
  }
  return agreed.size === 0 ? prepared : prepare(choices, machine, ledger, agreed);
}

/** Null once the person agreed; else the problem that there was nobody to ask. */
async function consent(args: Args, choices: Choices, { plan }: Prepared): Promise<Problem | null> {
  if (args.globals.yes) return null;
  if (!args.interactive) {
    const found = problem("HF008", "nothing was written: there is nobody to ask", {
      hint: commandFor(args, choices),
    });
    args.screen.problem(found);
    return found;
  }
  const prompts = await args.prompts();
  const count = plan.changes.filter(({ step }) => step !== null).length;
  const answers = [
    { value: "yes", label: "yes" },
    { value: "no", label: "no" },
    ...(isShortened(plan) && !args.globals.verbose
      ? [{ value: "diff", label: "show every line first" }]
      : []),
  ];
  let answer = await prompts.select(
    `Write ${count === 1 ? "this file" : `these ${count} files`}?`,
    answers,
    "yes",
  );
  if (answer === "diff") {
    showPlan(args.screen, plan, "everything");
    answer = await prompts.select("Write them?", answers.slice(0, 2), "yes");
  }
  if (answer !== "yes") throw new Interrupted("Nothing was written.");
  return null;
}

/** Writes the launcher first: an entry that leads nowhere would look installed and guard nothing. */
function write(args: Args, known: Known, prepared: Prepared, data: object): Outcome {
  const { screen, env, home, version } = args;
  const folder = holdfastHome(env, home);
  refreshLauncher(args, folder);
  removeLeftovers(setups, known.machine);
  const site = { holdfastHome: folder, machine: known.machine, version, now: new Date() };
  const applied = applyInstall(prepared.plan, site);
  if (applied.problem !== null) throw new ProblemError(applied.problem);
  if (applied.written.length === 0) screen.print("Everything is in place already.");
  else showWritten(args, applied.written, prepared.plan);
  showNext(args, prepared, known);
  return concluded(prepared, { ...data, written: applied.written });
}

/** An agent that is left out, or whose hooks cannot run, makes it a failure, whatever else went well. */
function concluded({ plan: { refused, warnings }, powerless }: Prepared, data: object): Outcome {
  const isWhole = refused.length === 0 && powerless.length === 0;
  return isWhole ? done(data, warnings) : no(data, [...refused, ...warnings]);
}

function refreshLauncher({ entry, version, platform }: Args, folder: string): void {
  const program = { node: process.execPath, entry, version };
  if (launcherIsCurrent(folder, program)) return;
  try {
    installLauncher(folder, program, platform);
  } catch (error) {
    const where = { file: launcherPath(folder) };
    throw new ProblemError(
      problem("HF123", "the launcher cannot be written", { cause: causeOf(error), where }),
    );
  }
}

/** Is a person there who wants to see it work now? */
async function wantsProof(args: Args, prepared: Prepared): Promise<boolean> {
  const here = runnable(args, prepared).length > 0;
  if (!args.interactive || args.options["no-prove"] === true || !here) return false;
  return (await args.prompts()).confirm("Prove it now? Takes a minute or two for each agent.", false);
}

async function prove(args: Args, prepared: Prepared): Promise<Outcome> {
  const command = await import("./prove.ts");
  return command.run({ ...args, positionals: runnable(args, prepared), options: {} });
}

function planData(choices: Choices, { plan, wanted, refused, powerless, left }: Prepared) {
  return {
    agents: wanted.map(({ setup, scope }) => ({
      agent: setup.agent.id,
      scope,
      activation: setup.activation(scope),
    })),
    notInstalled: refused.map(({ setup }) => setup.agent.id),
    notGuarded: powerless.map(({ setup }) => setup.agent.id),
    leftOut: left.map(({ agent }) => agent.id),
    scope: choices.scope,
    manifest: choices.manifest,
    answers: choices.answers,
    changes: plan.changes
      .filter(({ step }) => step !== null)
      .map(({ file, diff, note }) => ({ file, diff, note })),
    unchanged: plan.unchanged,
    hints: plan.hints,
  };
}
