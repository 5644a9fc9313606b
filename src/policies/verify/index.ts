import type { Event, TurnEndEvent } from "../../core/event.ts";
import type { Tree } from "../../core/repository.ts";
import type { Settings } from "../../core/settings.ts";
import { allow, type Verdict, verdict } from "../../core/verdict.ts";
import type { Check, Context, SessionState } from "../context.ts";
import { type Plan, passKey, planTests, runCheck, treeOf } from "./check.ts";
import { beginWork, endIdleness, hasBegun, isFirst, nameOf, openSession } from "./session.ts";
import * as words from "./words.ts";

/**
 * Remembers the tree a session begins with, so that a turn that changed nothing runs no tests and a failure
 * from before is known as one. Called before every tool that may change files, a subagent's too; asks git only
 * the first time in a session, since not every agent tells when a session starts.
 */
export async function begin(event: Event, _settings: Settings, context: Context): Promise<Verdict> {
  if (!hasBegun(event, context)) beginWork(event, treeOf(await context.git.tree()), context);
  return allow;
}

/**
 * Turn end: runs the project's tests when the tree changed since they last passed. New failures send the
 * agent back within its budget; every other outcome lets it stop and tells the person what was seen.
 */
export async function verify(event: TurnEndEvent, settings: Settings, context: Context): Promise<Verdict> {
  const start = context.now();
  const plan = planTests(settings.tests, context);
  if (plan === null || event.subagent || event.backgroundTasks > 0) return allow;
  if (event.phase === "settled") return spendRetry(event, settings, context);
  if ("note" in plan) return once("cannot-plan", words.cannotPlan(plan.note), event, context);
  const found = await context.git.tree();
  if (found.kind === "broken") return say(words.gitSilent(found.why));
  const state = await openSession(event, treeOf(found), context);
  const turn: Turn = { event, settings, context, plan, start };
  const settled = withoutRunning(turn, state, treeOf(found));
  if (settled !== null) return settled;
  if (state.idle) endIdleness(event, context);
  const { timeoutMs } = settings.tests;
  const judged = await context.state.exclusively(timeoutMs, () => judge(turn));
  const answer = judged ?? say(words.stillRunning);
  if (found.kind === "tree" || !isFirst(event, "no-repository", context)) return answer;
  return { ...answer, messages: [...answer.messages, words.noRepository] };
}

interface Turn {
  readonly event: TurnEndEvent;
  readonly settings: Settings;
  readonly context: Context;
  readonly plan: Plan;
  /** When the turn ended, milliseconds since the epoch. */
  readonly start: number;
}

/** The answer where the tests need not run: nothing changed; null where they must. */
function withoutRunning(turn: Turn, session: SessionState, tree: Tree | null): Verdict | null {
  const { context, plan, settings, event } = turn;
  if (tree === null || !settings.tests.skipWhenUnchanged) return null;
  const { passed, lastCheck } = context.state.project();
  if (passed.includes(passKey(tree.fingerprint, plan))) {
    // As good as a pass, and it is one: of this very tree.
    resetRetries(turn);
    return allow;
  }
  if (tree.fingerprint === session.baseline) return allow;
  // Another tool keeps the agent going after the person was asked about this very tree: not a new turn.
  if (event.continued && session.told.includes(askedAbout(tree, plan))) return allow;
  const isSame = lastCheck?.fingerprint === tree.fingerprint && lastCheck.command === plan.command;
  const timedOut = isSame && lastCheck.outcome === "timed-out" && lastCheck.by === nameOf(event);
  return timedOut ? say(words.timedOutAlready(lastCheck)) : null;
}

/**
 * Alone in this project: runs the tests, or takes the result of another hook that finished since this turn
 * ended, whether it was waited for or was just quicker.
 */
async function judge(turn: Turn): Promise<Verdict> {
  const { event, context, settings, plan, start } = turn;
  const session = context.state.session(event.agent, event.session);
  const tree = treeOf(await context.git.tree());
  const settled = withoutRunning(turn, session, tree);
  if (settled !== null) return settled;
  const last = context.state.project().lastCheck;
  if (last !== null && answersFor(last, turn, tree)) return answerTo(last, turn, session, true);
  const timeoutMs = Math.max(1, settings.tests.timeoutMs - (context.now() - start));
  const options = { by: nameOf(event), timeoutMs, before: session.before, soon: null };
  return answerTo(await runCheck(plan, options, context), turn, session, false);
}

function askedAbout(tree: Tree, plan: Plan): string {
  return `asked ${passKey(tree.fingerprint, plan)}`;
}

function answersFor(last: Check, { plan, start }: Turn, tree: Tree | null): boolean {
  return (
    last.at >= start &&
    last.command === plan.command &&
    tree !== null &&
    last.fingerprint === tree.fingerprint
  );
}

function answerTo(check: Check, turn: Turn, session: SessionState, shared: boolean): Verdict {
  const { event, context } = turn;
  switch (check.outcome) {
    case "passed":
      resetRetries(turn);
      return allow;
    case "no-tests":
      return once(`no-tests ${check.command}`, words.noTests(check), event, context);
    case "timed-out":
      return say(words.timedOut(check));
    case "could-not-run":
      return say(words.couldNotRun(check));
    case "failing-before":
      return say(
        session.before === null ? words.forYourInformation(check) : words.failedBefore(check, session.before),
      );
    case "newly-failing":
      return failing(check, turn, shared && check.by === nameOf(event));
  }
}

/** @param told the same event, delivered twice: it gets the same answer and spends nothing */
function failing(check: Check, turn: Turn, told: boolean): Verdict {
  const { event, context, settings } = turn;
  const { onFailure, maxRetries } = settings.tests;
  if (onFailure === "notify") return say(words.forYourInformation(check));
  if (onFailure === "ask") return say(words.pleaseLook(check, 0));
  let attempt = 0;
  let sentBack = 0;
  const { saved } = context.state.updateSession(event.agent, event.session, (state) => {
    // The agent says that it was sent back; if that is not on record, the record was lost.
    sentBack = Math.max(state.retries, event.continued ? 1 : 0);
    if (told) sentBack = Math.max(0, state.retries - 1);
    attempt = sentBack < maxRetries && !(told && state.retries === 0) ? sentBack + 1 : 0;
    if (event.phase === "tentative") return state;
    const asked =
      attempt === 0 && check.fingerprint !== null ? [`asked ${passKey(check.fingerprint, turn.plan)}`] : [];
    return { ...state, retries: attempt, told: [...state.told, ...asked].slice(-mostTold) };
  });
  // A count that cannot be kept would send the agent back for ever.
  if (attempt === 0 || !saved) return say(words.pleaseLook(check, sentBack));
  return verdict({
    decision: "continue",
    reason: words.sendBack(check, attempt, maxRetries),
    by: ["tests"],
  });
}

const mostTold = 50;

/** The agent was sent back on what was decided before; now it counts. */
function spendRetry(event: TurnEndEvent, { tests }: Settings, context: Context): Verdict {
  context.state.updateSession(event.agent, event.session, (state) => ({
    ...state,
    retries: Math.min(state.retries + 1, tests.maxRetries),
  }));
  return allow;
}

/** After a pass every failure is a new one. */
function resetRetries({ event, context }: Turn): void {
  const { retries, before } = context.state.session(event.agent, event.session);
  if (retries === 0 && before === null) return;
  context.state.updateSession(event.agent, event.session, (state) => ({
    ...state,
    retries: 0,
    before: null,
  }));
}

function once(key: string, text: string, event: TurnEndEvent, context: Context): Verdict {
  return isFirst(event, key, context) ? say(text) : allow;
}

function say(text: string): Verdict {
  return verdict({ by: ["tests"], messages: [text] });
}
