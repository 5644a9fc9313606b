import { callKey } from "../../core/call.ts";
import type { Event } from "../../core/event.ts";
import type { Settings } from "../../core/settings.ts";
import { compose, type Verdict, verdict } from "../../core/verdict.ts";
import type { Context, Snoozed } from "../context.ts";
import { weigh } from "./command-line.ts";
import { inspect } from "./index.ts";

/** Marks of a call that went through because a person said so; they stand in `by`. */
export const allowedOnce = "allowed-once";
export const snoozedMark = "snoozed";

/**
 * The guard as a live hook asks it: what would be lost here is weighed, what a person switched off for a while
 * does not count, and a call that a person allowed goes through once. All of that is looked up only when the
 * call alone would be stopped, or would delete a whole folder of the project.
 */
export async function guardUnlessPermitted(
  event: Event,
  settings: Settings,
  context: Context,
): Promise<Verdict> {
  const judged = await guardHere(event, settings, context);
  if (judged.decision === "allow") return judged;
  const snoozed = context.permits.snoozed();
  if (snoozed.includes("all")) return verdict({ by: [snoozedMark] });
  const left =
    snoozed.length === 0 ? judged : await guardHere(event, withoutSnoozed(settings, snoozed), context);
  if (left.decision === "allow") return verdict({ by: [snoozedMark] });
  const key = callKey(event, context.world.root);
  return key !== null && context.permits.take(key) ? verdict({ by: [allowedOnce] }) : left;
}

async function guardHere(event: Event, settings: Settings, context: Context): Promise<Verdict> {
  const isFolder = (path: string) => context.files.list(path).length > 0;
  const { verdict: judged, sure, commands } = inspect(event, settings, context.world, isFolder);
  if (commands.length === 0 || sure.decision === "deny") return judged;
  const weighed: Verdict[] = [];
  for (const command of commands) {
    const found = await weigh(command, event, settings, context);
    const isAsSaid = found.decision === command.verdict.decision;
    weighed.push(isAsSaid ? found : { ...found, weighed: true });
  }
  return compose([sure, ...weighed]);
}

/** The settings without what is snoozed. Holdfast itself stays protected, unless everything is off. */
export function withoutSnoozed(settings: Settings, snoozed: readonly Snoozed[]): Settings {
  const off = (what: Snoozed) => snoozed.includes(what) || snoozed.includes("all");
  const { protect, commands, tests } = settings;
  return {
    ...settings,
    protect: {
      ...protect,
      paths: off("protect") ? [] : protect.paths,
      reads: off("protect") ? [] : protect.reads,
      holdfast: snoozed.includes("all") ? false : protect.holdfast,
    },
    commands: off("commands") ? { risky: "off", packs: {}, override: {}, rules: [] } : commands,
    tests: off("tests") ? { ...tests, command: "" } : tests,
  };
}
