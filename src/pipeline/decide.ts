import type { Event, EventName } from "../core/event.ts";
import type { Settings } from "../core/settings.ts";
import { compose, type Verdict } from "../core/verdict.ts";
import { commit } from "../policies/commit/index.ts";
import type { Context } from "../policies/context.ts";
import { guardUnlessPermitted } from "../policies/guard/permit.ts";
import { review } from "../policies/review/index.ts";
import { begin, verify } from "../policies/verify/index.ts";

/** One policy of the pipeline: its name, and what it says to the events it handles. */
interface Handler {
  readonly name: string;
  readonly on: EventName;
  judge(event: Event, settings: Settings, context: Context): Verdict | Promise<Verdict>;
}

/** What one handler said, for `simulate` and the journal. */
export interface Said {
  readonly name: string;
  readonly verdict: Verdict;
  readonly ms: number;
}

export interface Decided {
  readonly verdict: Verdict;
  readonly said: readonly Said[];
}

/** In this order: guard, then the person's own hooks, then verify and review, then memory. */
const handlers: readonly Handler[] = [
  {
    name: "guard",
    on: "pre-tool",
    judge: guardUnlessPermitted,
  },
  { name: "begin", on: "pre-tool", judge: begin },
  {
    name: "commit",
    on: "pre-commit",
    judge: (event, settings, context) => commit(only(event, "pre-commit"), settings, context),
  },
  {
    name: "verify",
    on: "turn-end",
    judge: (event, settings, context) => verify(only(event, "turn-end"), settings, context),
  },
  {
    name: "review",
    on: "turn-end",
    judge: (event, settings, context) => review(only(event, "turn-end"), settings, context),
  },
];

/**
 * The one engine: live hooks, `simulate` and tests all come through here and differ only in the context
 * they pass. What the policies say is composed: deny beats ask beats allow.
 */
export async function decide(event: Event, settings: Settings, context: Context): Promise<Decided> {
  const said: Said[] = [];
  for (const { name, on, judge } of handlers) {
    if (on !== event.name) continue;
    const start = clock();
    const verdict = await judge(event, settings, context);
    said.push({ name, verdict, ms: clock() - start });
    // What is said once per tree is kept for the turn end that lasts.
    if (verdict.decision === "continue") break;
  }
  return { verdict: compose(said.map((one) => one.verdict)), said };
}

/** Milliseconds. Not `performance`: Node loads fifteen modules for it, two milliseconds of every hook. */
function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function only<N extends EventName>(event: Event, name: N): Extract<Event, { name: N }> {
  if (event.name !== name) throw new Error(`a ${name} handler was given ${event.name}`);
  return event as Extract<Event, { name: N }>;
}
