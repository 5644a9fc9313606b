import { causeOf, ProblemError, problem } from "../../core/problem.ts";
import { personEntry, writeEntry } from "../../journal/write.ts";
import { formatDuration, parseSpan } from "../../manifest/duration.ts";
import { nearest } from "../../manifest/nearest.ts";
import { type Snoozed, snoozable } from "../../policies/context.ts";
import { holdfastHome } from "../../runtime/home.ts";
import { readSnoozes, type Snooze, writeSnoozes } from "../../runtime/permits.ts";
import { type Args, done, type Outcome, type Spec } from "../command.ts";
import { usage } from "../parse.ts";
import { confirmedByPerson, mustBePerson } from "../person.ts";
import { needProject, situationOf } from "../situation.ts";

export const spec: Spec = {
  usage: "snooze [protect|commands|tests|all <duration>|off]",
  options: {
    reason: { type: "string", value: "text", help: "why; kept in the journal" },
    everywhere: { type: "boolean", help: "in every project, not only in this one" },
  },
  positionals: 2,
  examples: [
    'holdfast snooze commands 10m --reason "cleaning up branches"',
    "holdfast snooze all 1h --everywhere",
    "holdfast snooze tests off",
    "holdfast snooze",
  ],
};

/** A day: what is off for longer belongs into holdfast.yaml, where everyone sees it. */
const longestMs = 24 * 3_600_000;

/** Switches a part of the guard off for a while; it comes back by itself. Without arguments: what is off now. */
export async function run(args: Args): Promise<Outcome> {
  const home = holdfastHome(args.env, args.home);
  const [word, time] = args.positionals;
  if (word === undefined) return list(args, readSnoozes(home, Date.now()));
  const what = snoozedNamed(word);
  const ms = time === "off" ? 0 : durationOf(time, what);
  mustBePerson(args, "holdfast snooze");
  if (ms > 0) {
    const question = `Switch ${what === "all" ? "everything" : what} off for ${formatDuration(ms)}?`;
    await confirmedByPerson(args, question, "Nothing was snoozed.");
  }
  const { root } = await situationOf(args);
  const everywhere = args.options.everywhere === true;
  const place = everywhere ? null : needProject(root, args.cwd);
  const others = readSnoozes(home, Date.now()).filter((one) => !(one.what === what && one.root === place));
  const reason = typeof args.options.reason === "string" ? args.options.reason : "";
  const snooze: Snooze = { what, until: Date.now() + ms, root: place, reason };
  try {
    writeSnoozes(home, ms === 0 ? others : [...others, snooze]);
    const summary = `${what} ${ms === 0 ? "back on" : `off for ${formatDuration(ms)}`}`;
    writeEntry(home, personEntry("snooze", place, reason === "" ? summary : `${summary}: ${reason}`, [what]));
  } catch (error) {
    throw new ProblemError(
      problem("HF807", "the snooze could not be kept", { cause: causeOf(error), where: { file: home } }),
    );
  }
  const where = everywhere ? "everywhere" : "in this project";
  args.screen.print(
    ms === 0
      ? `${what} is back on ${where}.`
      : `${what} is off ${where} until ${clock(snooze.until)} and comes back by itself. Earlier: holdfast snooze ${what} off`,
  );
  return done({ snoozed: readSnoozes(home, Date.now()) });
}

function list({ screen }: Args, snoozes: readonly Snooze[]): Outcome {
  if (snoozes.length === 0) screen.print("Nothing is snoozed.");
  for (const one of snoozes) {
    const where = one.root === null ? "everywhere" : screen.path(one.root);
    screen.print(`${one.what}  off until ${clock(one.until)}  ${where}  ${one.reason}`.trimEnd());
  }
  return done({ snoozed: snoozes });
}

function snoozedNamed(word: string): Snoozed {
  const found = snoozable.find((one) => one === word);
  if (found !== undefined) return found;
  const near = nearest(word, snoozable);
  const message = `"${word}" cannot be snoozed${near === null ? "" : ` — did you mean "${near}"?`}`;
  throw new ProblemError(usage(message, `Known: ${snoozable.join(", ")}`));
}

function durationOf(time: string | undefined, what: string): number {
  const ms = time === undefined ? null : parseSpan(time);
  if (ms === null || ms <= 0)
    throw new ProblemError(usage("snooze wants a time", `For example: holdfast snooze ${what} 10m`));
  if (ms <= longestMs) return ms;
  const hint = `At most: holdfast snooze ${what} 24h. What is off for longer belongs into holdfast.yaml, where everyone sees it.`;
  throw new ProblemError(usage("snooze takes a day at most", hint));
}

function clock(ms: number): string {
  return new Date(ms).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
