import { shortId } from "../../core/call.ts";
import { causeOf, ProblemError, problem } from "../../core/problem.ts";
import { ago } from "../../doctor/time.ts";
import { readEntries } from "../../journal/read.ts";
import { type Entry, personEntry, writeEntry } from "../../journal/write.ts";
import { holdfastHome } from "../../runtime/home.ts";
import { approvalMinutes, writeApproval } from "../../runtime/permits.ts";
import { type Args, done, type Outcome, type Spec } from "../command.ts";
import { usage } from "../parse.ts";
import { confirmedByPerson, mustBePerson } from "../person.ts";

export const spec: Spec = {
  usage: "allow <id>",
  options: {},
  positionals: 1,
  examples: ["holdfast allow k3f9a"],
};

/** Lets one call that was stopped go through once: the same agent, session, project, tool and command or path. */
export async function run(args: Args): Promise<Outcome> {
  const id = (args.positionals[0] ?? "").replace(/^#/, "").toLowerCase();
  if (id === "")
    throw new ProblemError(usage("allow wants the id of a stopped call", "holdfast allow k3f9a"));
  mustBePerson(args, "holdfast allow");
  const home = holdfastHome(args.env, args.home);
  const stopped = findStopped(readEntries(home).entries, id);
  show(args, stopped);
  await confirmedByPerson(args, "Allow exactly this, once?", "Nothing was allowed.");
  const until = Date.now() + approvalMinutes * 60_000;
  try {
    writeApproval(home, { key: stopped.call, until }, Date.now());
    writeEntry(home, personEntry("allow", stopped.project, `#${id} ${stopped.summary}`, stopped.by));
  } catch (error) {
    throw new ProblemError(
      problem("HF807", "the approval could not be kept", { cause: causeOf(error), where: { file: home } }),
    );
  }
  args.screen.print(
    `Allowed once, for ${approvalMinutes} minutes. Tell ${stopped.agent} to try again, in the same session.`,
  );
  return done({ id, until: new Date(until).toISOString(), agent: stopped.agent, session: stopped.session });
}

type Stopped = Entry & { readonly call: string };

function findStopped(entries: readonly Entry[], id: string): Stopped {
  const stopped = entries.filter(
    (entry): entry is Stopped =>
      entry.call !== null && (entry.decision === "deny" || entry.decision === "ask"),
  );
  // The name is checked against the call itself, so that a line written by hand cannot stand for another call.
  const found = stopped.findLast((entry) => entry.id === id && shortId(entry.call) === id);
  if (found !== undefined) return found;
  const recent = [...new Set(stopped.map((entry) => entry.id))].slice(-3).reverse();
  const hint = recent.length === 0 ? "Nothing was stopped yet." : `Last stopped: ${recent.join(", ")}.`;
  throw new ProblemError(problem("HF013", `no stopped call is called "${id}"`, { hint }));
}

function show({ screen }: Args, { at, agent, decision, tool, summary, project, by }: Stopped): void {
  const label = (text: string) => screen.paint.dim(text.padEnd(9));
  screen.print(`${label("call")}${tool ?? ""}  ${screen.paint.bold(summary)}`);
  screen.print(
    `${label("stopped")}${decision} ${ago(Date.now() - Date.parse(at))} in ${agent}, by ${by.join(", ")}`,
  );
  if (project !== null) screen.print(`${label("project")}${screen.path(project)}`);
}
