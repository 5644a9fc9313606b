import type { Step } from "../../shell/analyse.ts";
import { plainPattern } from "../../shell/filter.ts";
import { isKnown } from "../../shell/marks.ts";
import { has, optionValues, readOptions } from "../../shell/options.ts";

/** `sed -i s/one/two/` leaves a text as it is that does not hold the one. What is not known counts as a change. */
export function changesNothing(step: Step | undefined, text: string | null): boolean {
  const isPerl = step?.name === "perl";
  if (step === undefined || text === null || !(isPerl || /^g?sed$/.test(step.name))) return false;
  const parsed = readOptions(step.args, isPerl ? "eEMIi?0?l?" : "efl expression file i? in-place?");
  if (
    has(
      parsed,
      "-n",
      "-f",
      "-z",
      "-s",
      "-0",
      "-M",
      "-a",
      "-F",
      "--file",
      "--quiet",
      "--silent",
      "--null-data",
    )
  )
    return false;
  const given = optionValues(parsed, "-e", "-E", "--expression");
  const scripts =
    isPerl || given.length > 0 ? given : parsed.operands.filter((word) => word !== "").slice(0, 1);
  const extended = isPerl || has(parsed, "-E", "-r", "--regexp-extended");
  return scripts.length > 0 && scripts.every((script) => changesNone(script, text, extended, isPerl));
}

/** One substitution, whose pattern has no variables. */
const substitution = /^s([/|#,@!:])((?:\\.|(?!\1).)+)\1(?:\\.|(?!\1).)*\1([gIi\d]*);?$/s;

function changesNone(script: string, text: string, extended: boolean, isPerl: boolean): boolean {
  const [, sign = "", pattern = "", flags = ""] = substitution.exec(script.trim()) ?? [];
  // An anchor somewhere else is a plain sign to some, and an anchor to others.
  if (/[$^]/.test(pattern.replace(/^\^|\[\^|\\[$^]|\$$/g, ""))) return false;
  if (pattern === "" || !isKnown(script) || (isPerl && /[$@]\w/.test(pattern))) return false;
  const shape = plainPattern(pattern.replaceAll(`\\${sign}`, sign), extended);
  return shape !== null && !new RegExp(shape, /i/i.test(flags) ? "im" : "m").test(text);
}
