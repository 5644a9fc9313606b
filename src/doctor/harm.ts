import { type Dict, dict, isDict, list } from "../core/read.ts";

/**
 * Why an entry that somebody changed no longer guards what ours guarded, in words; null when the change is harmless
 * or says nothing about that. Vendors share these keys, whatever else their entries hold.
 *
 * @param isOurs tells the handler with our command among others in the same list
 */
export function harmIn(ours: Dict, theirs: Dict, isOurs: (entry: unknown) => boolean): string | null {
  for (const key of ["type", "event", "trigger"]) {
    const [wanted, found] = [ours[key], theirs[key]];
    if (typeof wanted === "string" && found !== wanted) return `its ${key} is no longer "${wanted}"`;
  }
  if (theirs.enabled === false || theirs.disabled === true) return "it is switched off";
  if (theirs.async === true && ours.async !== true)
    return "it runs beside the call, which nothing then holds up";
  if (theirs.if !== undefined && ours.if === undefined) return "it runs only if a condition is met";
  const missed = missedTool(ours.matcher, theirs.matcher);
  if (missed !== null) return `its matcher no longer covers ${missed}`;
  return shorterTime(ours, theirs) ?? harmInside(ours, theirs, isOurs);
}

/** Units differ between agents, and are the same on both sides. */
function shorterTime(ours: Dict, theirs: Dict): string | null {
  const shorter = Object.keys(ours).find((key) => {
    const [wanted, found] = [ours[key], theirs[key]];
    return /^timeout/i.test(key) && typeof wanted === "number" && typeof found === "number" && found < wanted;
  });
  return shorter === undefined ? null : `its ${shorter} is shorter than ours, ${ours[shorter]}`;
}

function harmInside(ours: Dict, theirs: Dict, isOurs: (entry: unknown) => boolean): string | null {
  for (const [key, wanted] of Object.entries(ours)) {
    const [mine] = Array.isArray(wanted) ? wanted : [wanted];
    if (!isDict(mine)) continue;
    const found = Array.isArray(wanted) ? list(theirs[key]).find(isOurs) : theirs[key];
    const harm = harmIn(mine, dict(found), isOurs);
    if (harm !== null) return harm;
  }
  return null;
}

/** The first tool that our matcher named and the other leaves out. A missing or empty matcher covers all. */
function missedTool(ours: unknown, theirs: unknown): string | null {
  if (coversAll(theirs)) return null;
  if (typeof theirs !== "string") return "any tool";
  if (coversAll(ours)) return "every tool";
  if (typeof ours !== "string" || ours === theirs) return null;
  const others = alternatives(theirs);
  const missed = alternatives(ours).find((tool) => !others.includes(tool) && !fits(theirs, exampleOf(tool)));
  if (missed === undefined) return null;
  return exampleOf(missed) === missed ? missed : `tools such as ${exampleOf(missed)}`;
}

function coversAll(matcher: unknown): boolean {
  return matcher === undefined || matcher === null || ["", "*", ".*", "^.*$"].includes(String(matcher));
}

/** The parts between bars that no bracket holds. */
function alternatives(matcher: string): string[] {
  const plain = matcher.startsWith("^(") && matcher.endsWith(")$") ? matcher.slice(2, -2) : matcher;
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const char of plain) {
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (char === "|" && depth === 0) {
      parts.push(part);
      part = "";
    } else part += char;
  }
  return [...parts, part].filter((one) => one !== "");
}

/** A name that a simple pattern fits, so that a wider pattern can be tried on it: `mcp__x` for `mcp__.*`. */
function exampleOf(tool: string): string {
  return tool
    .replace(/\(\?[!=][^)]*\)/g, "")
    .replace(/\(([^|()]*)[^()]*\)/g, "$1")
    .replace(/(?:\[[^\]]*\]|\.)[*+]?/g, "x")
    .replace(/\*/g, "x");
}

/** Plain names must be the whole name, as agents compare them; a pattern may fit anywhere. */
function fits(matcher: string, tool: string): boolean {
  if (/^[\w|-]*$/.test(matcher)) return alternatives(matcher).includes(tool);
  try {
    return new RegExp(matcher).test(tool);
  } catch {
    return false;
  }
}
