import type { CommandSettings, OwnRule, Strength } from "../../../core/settings.ts";
import type { Step } from "../../../shell/model.ts";
import { fits, lineOf, programsOf } from "./match.ts";

/** What the settings say about a built-in rule: the rule itself first, then its pack, then all of them. */
export function strengthOf(rule: string, { risky, packs, override }: CommandSettings): Strength {
  const own = Object.hasOwn(override, rule) ? override[rule] : undefined;
  if (own !== undefined) return own;
  const pack = rule.slice(0, Math.max(0, rule.indexOf("/")));
  return (Object.hasOwn(packs, pack) ? packs[pack] : undefined) ?? risky;
}

/** The person's own rules that a command fits. */
export function ownRulesFor(step: Step, rules: readonly OwnRule[]): OwnRule[] {
  if (rules.length === 0) return [];
  const name = step.name.toLowerCase();
  const about = rules.filter(({ match }) => programsOf(match).includes(name));
  if (about.length === 0 || step.args.includes("--help")) return [];
  const line = lineOf(step);
  return about.filter(({ match }) => fits(match, line));
}

/** What a person's own rule says when it is met. */
export function ownWords({ message, instead }: OwnRule): string {
  const use = instead === "" ? "" : `Use \`${instead}\` instead.`;
  const words = message === "" && use === "" ? "A rule in holdfast.yaml stops this." : message;
  return [words, use].filter((text) => text !== "").join(" ");
}
