import { rmSync } from "node:fs";
import { join } from "node:path";
import { ProblemError, problem } from "../../core/problem.ts";
import type { Machine, Scope } from "../../core/setup.ts";
import { readMachine } from "../../install/detect.ts";
import { removeEmpty } from "../../install/disk.ts";
import { removeLauncher } from "../../install/launcher.ts";
import { removeLeftovers } from "../../install/leftovers.ts";
import { itemsFor } from "../../install/plan.ts";
import { applyUninstall, planUninstall, type UninstallPlan } from "../../install/uninstall.ts";
import { holdfastHome } from "../../runtime/home.ts";
import { type Args, done, Interrupted, no, type Outcome, type Spec } from "../command.ts";
import { ledgerOf, ownItems } from "../install-plan.ts";
import { hooksOfOthers, type Left, leftBehind, linesByHand } from "../left-behind.ts";
import { diffLines } from "../output.ts";
import { mustNotBeAgent } from "../person.ts";
import { agentsNamed, setups, situationOf } from "../situation.ts";
import { findAgents } from "../surroundings.ts";
import { oneOf } from "../wizard.ts";

export const spec: Spec = {
  usage: "uninstall [--agent <names>] [--scope project|user|local]",
  options: {
    agent: { type: "string", multiple: true, value: "names", help: "only these agents" },
    scope: {
      type: "string",
      value: "scope",
      help: "project, local or user; without it: what is installed here",
    },
    "keep-manifest": { type: "boolean", help: "leave holdfast.yaml in place" },
    "purge-state": { type: "boolean", help: "also forget the journal, backups and all other records" },
    "dry-run": { type: "boolean", help: "show every change, write nothing" },
  },
  positionals: 0,
  examples: ["holdfast uninstall", "holdfast uninstall --yes --agent codex --scope user"],
};

/** Takes out exactly what was put in, shown before it is done. */
export async function run(args: Args): Promise<Outcome> {
  const { screen, globals } = args;
  if (args.options["dry-run"] !== true) mustNotBeAgent(args, "holdfast uninstall");
  await situationOf(args);
  const machine = await readMachine(args);
  const folder = holdfastHome(args.env, args.home);
  const scopes = await scopesOf(args, machine);
  const request = requestFor(args, machine, scopes);
  let plan = planUninstall(request);
  const agreed = await agreedFiles(args, plan);
  if (agreed.size > 0) plan = planUninstall({ ...request, agreed });
  showPlan(args, plan);
  const data = {
    scopes,
    files: plan.removals.map(({ file, level, diff, words }) => ({ file, level, diff, words })),
  };
  const changes = plan.removals.filter(({ step }) => step !== null);
  if (args.options["dry-run"] !== true && (globals.yes || changes.length === 0)) sweep(args, machine);
  if (changes.length === 0 && plan.removals.length === 0) {
    const outcome = nothing(args, plan, data);
    showLeft(args, [...byHand(args, scopes, machine), ...hooksOfOthers(request.ledger, machine)]);
    return outcome;
  }
  if (args.options["dry-run"] === true)
    return plan.refused.length > 0 ? no(data, plan.refused) : done(data, plan.warnings);
  if (!globals.yes) {
    if (!args.interactive) {
      const found = problem("HF008", "nothing was changed: there is nobody to ask", {
        hint: "holdfast uninstall --yes",
      });
      screen.problem(found);
      return no(data, [found]);
    }
    const question = `Take Holdfast out of ${changes.length === 1 ? "this file" : `these ${changes.length} files`}?`;
    if (!(await (await args.prompts()).confirm(question, true)))
      throw new Interrupted("Nothing was changed.");
    sweep(args, machine);
  }
  const applied = applyUninstall(plan, {
    holdfastHome: folder,
    machine,
    version: args.version,
    now: new Date(),
  });
  if (applied.problem !== null) throw new ProblemError(applied.problem);
  const nothingLeft = ledgerOf(folder, machine).files.length === 0;
  if (nothingLeft) removeLauncher(folder);
  if (nothingLeft && args.options["purge-state"] === true) purge(folder);
  const left = [...leftBehind(plan.removals, machine), ...byHand(args, scopes, machine)];
  await showDone(args, plan, scopes, machine);
  showLeft(args, left);
  const result = { ...data, left };
  return plan.refused.length > 0 ? no(result, plan.refused) : done(result, plan.warnings);
}

/** What a killed run left would keep folders of ours from going. */
function sweep({ screen }: Args, machine: Machine): void {
  for (const file of removeLeftovers(setups, machine))
    screen.print(`${screen.paint.red("-")} ${screen.path(file)} is removed, which a killed run left`);
}

/** Only what Holdfast itself writes, by name: the folder may be one a person chose for other things as well. */
function purge(folder: string): void {
  for (const name of ownNames) rmSync(join(folder, name), { recursive: true, force: true });
  removeEmpty([folder]);
}

const ownNames = [
  ...["backups", "cache", "crashes", "snapshots", "state"],
  ...["journal.jsonl", "journal.jsonl.1", "problems.jsonl", "problems.jsonl.1"],
  ...["breadcrumbs.log", "install.lock", "ledger.json"],
];

/** The scopes named, else those of this project, else the person's own. */
async function scopesOf(args: Args, machine: Machine): Promise<readonly Scope[]> {
  const named = oneOf<Scope>("--scope", args.options.scope, ["project", "user", "local"]);
  if (named !== null) return [named];
  const installed = new Set(findAgents(machine).flatMap((one) => one.installed));
  const { files } = ledgerOf(holdfastHome(args.env, args.home), machine);
  if (machine.root !== null && files.some(({ root }) => root === machine.root)) return ["project", "local"];
  return installed.has("project") || installed.has("local")
    ? ["project", "local"]
    : ["project", "local", "user"];
}

function requestFor(args: Args, machine: Machine, scopes: readonly Scope[]) {
  const folder = holdfastHome(args.env, args.home);
  const named = agentsNamed(args.options.agent);
  const leavingAgents = new Set(["holdfast", ...(named ?? setups).map(({ agent }) => agent.id)]);
  const wanted = (named ?? setups).flatMap((setup) => scopes.map((scope) => ({ setup, scope })));
  const shared = named === null ? scopes.flatMap((scope) => ownItems(scope, machine)) : [];
  return {
    ledger: ledgerOf(folder, machine),
    leaving: (owner: { agent: string; scope: Scope }, root: string | null) => {
      const here = owner.scope === "user" ? root === null : root === machine.root;
      return here && scopes.includes(owner.scope) && leavingAgents.has(owner.agent);
    },
    items: [...itemsFor(wanted, machine), ...shared],
    machine,
    holdfastHome: folder,
    keepManifest: args.options["keep-manifest"] === true,
  };
}

async function agreedFiles(args: Args, plan: UninstallPlan): Promise<Set<string>> {
  const agreed = new Set<string>();
  if (!args.interactive || args.options["dry-run"] === true) return agreed;
  for (const { fixable, where } of plan.refused) {
    if (!fixable || where.file === undefined) continue;
    const question = `${args.screen.path(where.file)} was edited by hand. Remove it all the same?`;
    if (await (await args.prompts()).confirm(question, false)) agreed.add(where.file);
  }
  return agreed;
}

function showPlan({ screen, globals }: Args, plan: UninstallPlan): void {
  for (const { diff, words, file, step } of plan.removals) {
    const whole = step?.after === null && !globals.verbose;
    if (whole) screen.print(`${screen.paint.red("-")} ${screen.path(file)} is removed`);
    else if (diff !== "") for (const line of diffLines(diff, screen.paint)) screen.print(line);
    if (words !== "") screen.print(screen.paint.dim(`${screen.path(file)}: ${words}`));
  }
  for (const found of [...plan.refused, ...plan.warnings]) screen.problem(found);
}

function nothing({ screen }: Args, plan: UninstallPlan, data: unknown): Outcome {
  if (plan.refused.length > 0) return no(data, plan.refused);
  screen.print("Holdfast is not installed here. Nothing to do.");
  return done(data);
}

async function showDone(
  { screen }: Args,
  plan: UninstallPlan,
  scopes: readonly Scope[],
  machine: Machine,
): Promise<void> {
  const exact = plan.removals.filter(({ level }) => level === "exact").length;
  screen.print(
    `\nTaken out of ${plan.removals.length} file${plan.removals.length === 1 ? "" : "s"}; ${exact} byte for byte as before.`,
  );
  const found = findAgents(machine);
  for (const [place, flag, here] of places) {
    const remaining = found.filter(({ installed }) =>
      installed.some((scope) => here.includes(scope) && !scopes.includes(scope)),
    );
    if (remaining.length === 0) continue;
    const names = remaining.map(({ setup }) => setup.agent.title).join(", ");
    screen.print(
      `Still installed ${place}: ${names}. To take that out too: holdfast uninstall --scope ${flag}`,
    );
  }
}

/** Words, the flag to type, and the scopes they are about. */
const places: readonly (readonly [string, Scope, readonly Scope[]])[] = [
  ["for all your projects", "user", ["user"]],
  ["for this project", "project", ["project"]],
  ["for you in this project", "local", ["local"]],
];

function byHand({ options }: Args, scopes: readonly Scope[], machine: Machine): Left[] {
  return scopes.includes("project") ? linesByHand(agentsNamed(options.agent) ?? setups, machine) : [];
}

function showLeft({ screen }: Args, left: readonly Left[]): void {
  for (const { file, why } of left) screen.print(`Left  ${screen.path(file)}: ${why}.`);
}
