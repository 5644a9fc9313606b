import type { Exam } from "../doctor/check.ts";
import { adoptMoved } from "../install/adopt.ts";
import { readMachine } from "../install/detect.ts";
import { isLedgerProblem, readLedger } from "../install/ledger.ts";
import { holdfastHome } from "../runtime/home.ts";
import type { Args } from "./command.ts";
import { agentsNamed, setups, situationOf } from "./situation.ts";
import { findAgents } from "./surroundings.ts";

/** Gathers what the checks look at. */
export async function examOf(args: Args): Promise<Exam> {
  const { project, manifest } = await situationOf(args);
  const machine = await readMachine(args);
  const folder = holdfastHome(args.env, args.home);
  const ledger = readLedger(folder);
  const found = findAgents(machine);
  return {
    cwd: args.cwd,
    home: args.home,
    env: args.env,
    project,
    machine,
    manifest,
    ledger: isLedgerProblem(ledger) ? null : adoptMoved(ledger, machine).ledger,
    holdfastHome: folder,
    setups: agentsNamed(args.options.agent) ?? setups,
    present: found.filter(({ present }) => present).map(({ setup }) => setup.agent.id),
    now: Date.now(),
    everything: args.globals.verbose,
  };
}
