import { callKey } from "../../core/call.ts";
import type { Event } from "../../core/event.ts";
import type { Settings } from "../../core/settings.ts";
import { type Verdict, verdict } from "../../core/verdict.ts";
import type { Context, Snoozed } from "../context.ts";
import { guard } from "./index.ts";

/** Marks of a call that went through because a person said so; they stand in `by`. */
export const allowedOnce = "allowed-once";
export const snoozedMark = "snoozed";

/**
 * The guard as a live hook asks it: what a person switched off for a while does not count, and a call that a
 * person allowed goes through once. Both are looked up only when the guard would stop the call.
 */
export function guardUnlessPermitted(event: Event, settings: Settings, context: Context): Verdict {
  const judged = guard(event, settings, context.world);
  if (judged.decision === "allow") return judged;
  const snoozed = context.permits.snoozed();
  const left = snoozed.length === 0 ? judged : guard(event, withoutSnoozed(settings, snoozed), context.world);
  if (left.decision === "allow" || snoozed.includes("all")) return verdict({ by: [snoozedMark] });
  const key = callKey(event, context.world.root);
  return key !== null && context.permits.take(key) ? verdict({ by: [allowedOnce] }) : left;
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
