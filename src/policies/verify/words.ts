import type { Check } from "../context.ts";

/** What the agent reads when it is sent back. */
export function sendBack(check: Check, attempt: number, most: number): string {
  return [
    `The tests fail: \`${check.command}\` (${check.ended}). Find the cause in what you changed and fix it, then finish.`,
    `Do not weaken, skip or delete tests to make them pass. You are sent back ${attempt} of ${most} times; after that a person is asked.`,
    "",
    "Last lines of the output:",
    check.tail,
  ].join("\n");
}

/** What the person reads when the agent stops with failing tests. */
export function pleaseLook(check: Check, sentBack: number): string {
  const tries = sentBack > 0 ? ` The agent was sent back ${times(sentBack)} and could not fix it.` : "";
  return withTail(
    `Holdfast: the tests fail: \`${check.command}\` (${check.ended}).${tries} Please look.`,
    check,
  );
}

export function forYourInformation(check: Check): string {
  return withTail(`Holdfast: the tests fail: \`${check.command}\` (${check.ended}).`, check);
}

export function failedBefore(check: Check, before: Check): string {
  const when = new Date(before.at).toISOString().slice(0, 16).replace("T", " ");
  return withTail(
    `Holdfast: the tests fail: \`${check.command}\` (${check.ended}). The same failures were seen in a check before this session (${when} UTC), so the agent was not sent back.`,
    check,
  );
}

export function timedOut(check: Check): string {
  return withTail(
    `Holdfast: the tests did not finish: \`${check.command}\` was ${check.ended}. Whether they pass is not known.`,
    check,
  );
}

export function timedOutAlready(check: Check): string {
  return `Holdfast: the tests were not run again: nothing changed since \`${check.command}\` was ${check.ended}. Whether they pass is not known.`;
}

export function couldNotRun(check: Check): string {
  return withTail(
    `Holdfast: the tests could not be run: \`${check.command}\` (${check.ended}). Whether they pass is not known. Set tests.command in holdfast.yaml if it is the wrong command.`,
    check,
  );
}

export function noTests(check: Check): string {
  return `Holdfast: \`${check.command}\` found no tests (${check.ended}), so nothing was tested.`;
}

export function gitSilent(why: string): string {
  return `Holdfast: git did not answer (${why}), so this turn was not checked. See: holdfast doctor`;
}

export const stillRunning =
  "Holdfast: another check of this project is still running, so the tests were not run for this turn.";

export const noRepository =
  "Holdfast: this project is not a git repository, so changes cannot be told and the tests run at every turn end.";

export function cannotPlan(note: string): string {
  return `Holdfast: the tests were not run: ${note}.`;
}

/** The person gets fewer lines than the agent. */
const linesForPerson = 12;

function withTail(text: string, check: Check): string {
  const lines = check.tail.split("\n").slice(-linesForPerson).join("\n");
  return lines === "" ? text : `${text}\n${lines}`;
}

function times(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : `${count} times`;
}
