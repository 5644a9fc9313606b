import type { TurnEndEvent } from "../../core/event.ts";
import type { DiffSize } from "../../core/repository.ts";
import type { Settings } from "../../core/settings.ts";
import { allow, type Verdict, verdict } from "../../core/verdict.ts";
import type { Context } from "../context.ts";
import { isFirst } from "../verify/session.ts";
import { gitSilent } from "../verify/words.ts";

/**
 * Turn end: tells the person when the change of the session has grown large, committed or not. Once per state
 * of the tree; commits that were told of are not counted again.
 */
export async function review(event: TurnEndEvent, settings: Settings, context: Context): Promise<Verdict> {
  const { maxDiffLines } = settings.review;
  const isOver = event.phase !== "settled" && !event.subagent && event.backgroundTasks === 0;
  if (context.world.root === null || !isOver) return allow;
  const tree = await context.git.tree();
  if (tree.kind === "broken") return say(gitSilent(tree.why));
  const { base, baseAt } = context.state.session(event.agent, event.session);
  if (tree.kind !== "tree" || (tree.clean && base === null)) return allow;
  const size = await context.git.diffSize({ head: base, at: baseAt }, maxDiffLines);
  if (size.kind === "broken") return say(gitSilent(size.why));
  if (size.kind !== "diff" || size.lines <= maxDiffLines) return allow;
  const isNews = isFirst(event, `large ${tree.fingerprint}`, context);
  if (isNews && !tree.clean) await tellOnce(event, context);
  // What is committed by now was told of, here or before it was committed.
  if (isNews || tree.clean) countFrom(tree.head ?? "", event, context);
  return isNews ? say(words(size, maxDiffLines)) : allow;
}

/** Committing all of it is nothing new. */
async function tellOnce(event: TurnEndEvent, context: Context): Promise<void> {
  const committed = await context.git.fingerprintOfAll();
  if (committed !== null) isFirst(event, `large ${committed}`, context);
}

function countFrom(base: string, event: TurnEndEvent, context: Context): void {
  context.state.updateSession(event.agent, event.session, (state) =>
    state.base === null ? state : { ...state, base, baseAt: context.now() },
  );
}

function words({ lines, generated, committed, atLeast }: DiffSize, limit: number): string {
  const many = `${atLeast ? "at least " : ""}${lines} lines`;
  const when = committed ? "in this session, committed or not" : "since the last commit";
  const apart = generated > 0 ? `; ${generated} more in generated files` : "";
  return `Holdfast: large change, please review: ${many} added or removed ${when} (limit ${limit}${apart}).`;
}

function say(text: string): Verdict {
  return verdict({ by: ["review"], messages: [text] });
}
