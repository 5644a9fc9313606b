import type { TurnEndEvent } from "../../core/event.ts";
import type { Settings } from "../../core/settings.ts";
import { allow, type Verdict, verdict } from "../../core/verdict.ts";
import type { Context } from "../context.ts";
import { isFirst } from "../verify/session.ts";
import { gitSilent } from "../verify/words.ts";

/** Turn end: tells the person when the change has grown large. Once per state of the tree. */
export async function review(event: TurnEndEvent, settings: Settings, context: Context): Promise<Verdict> {
  const { maxDiffLines } = settings.review;
  const isOver = event.phase !== "settled" && !event.subagent && event.backgroundTasks === 0;
  if (context.world.root === null || !isOver) return allow;
  const tree = await context.git.tree();
  if (tree.kind === "broken") return say(gitSilent(tree.why));
  if (tree.kind !== "tree" || tree.clean) return allow;
  const size = await context.git.diffSize();
  if (size.kind === "broken") return say(gitSilent(size.why));
  if (size.kind !== "diff" || size.lines <= maxDiffLines) return allow;
  if (!isFirst(event, `large ${tree.fingerprint}`, context)) return allow;
  const lines = `${size.atLeast ? "at least " : ""}${size.lines} lines`;
  return say(
    `Holdfast: large change, please review: ${lines} added or removed since the last commit (limit ${maxDiffLines}).`,
  );
}

function say(text: string): Verdict {
  return verdict({ by: ["review"], messages: [text] });
}
