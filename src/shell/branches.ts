import { isKnown, SOME } from "./marks.ts";
import { type Call, joinStreams, type Scope, type Stream, single, type Value } from "./model.ts";

/** A shell after one of several branches: variables may hold what any of them left. */
export function mergeInto(scope: Scope, ways: readonly Scope[]): void {
  const names = new Set(ways.flatMap((way) => [...way.vars.keys()]));
  for (const name of names) {
    const values = ways.map((way) => way.vars.get(name)).filter((value) => value !== undefined);
    const first = values[0];
    if (first === undefined) continue;
    if (values.every((value) => value === first)) scope.vars.set(name, first);
    else scope.vars.set(name, mergedValue(values));
  }
  for (const way of ways) for (const [name, node] of way.functions) scope.functions.set(name, node);
  const moved = ways.find((way) => way.cwd !== scope.cwd);
  if (moved !== undefined) scope.cwd = moved.cwd;
  scope.instead ??= ways.find((way) => way.instead !== null)?.instead ?? null;
}

/** `A=b f`: what stands in front of a function's name holds as long as it runs. */
export function prefixed(
  { env, scope }: Pick<Call, "env" | "scope">,
  outer: Map<string, Value | undefined>,
): void {
  for (const [name, text] of env) {
    const before = scope.vars.get(name);
    if (before?.alts.includes(text) === true || !/^\w+$/.test(name)) continue;
    outer.set(name, before);
    scope.vars.set(name, single(text));
  }
}

/** Gives variables that were local to a function back what they held before. */
export function restore(vars: Map<string, Value>, outer: ReadonlyMap<string, Value | undefined>): void {
  for (const [name, value] of outer) {
    if (value === undefined) vars.delete(name);
    else vars.set(name, value);
  }
}

/** Rounds of a loop that takes its arguments away with `shift`. */
const mostShifts = 16;

/**
 * A `while` loop: one round, one for each argument that is left after a `shift`, and one more for variables that count:
 * then they may hold any number.
 */
export function rounds(scope: Scope, first: () => Stream, again: () => Stream): Stream {
  const before = new Map(scope.vars);
  let left = scope.params;
  let output = first();
  for (let shifts = 0; shifts < mostShifts && isShifted(scope.params, left); shifts++) {
    left = scope.params;
    output = joinStreams(output, again());
  }
  const counters = countedIn(before, scope.vars);
  if (counters.length === 0) return output;
  for (const name of counters) scope.vars.set(name, single(SOME));
  return joinStreams(output, again());
}

function isShifted(now: readonly string[], before: readonly string[]): boolean {
  return now.length > 0 && now.length < before.length;
}

/** Variables that held a whole number before a round of a loop, and another one or nobody knows what after it. */
function countedIn(before: ReadonlyMap<string, Value>, after: ReadonlyMap<string, Value>): string[] {
  return [...after.keys()].filter((name) => {
    const [old = "", now = ""] = [before.get(name)?.alts[0], after.get(name)?.alts[0]];
    return old !== now && /^-?\d+$/.test(old) && (/^-?\d+$/.test(now) || !isKnown(now));
  });
}

function mergedValue(values: readonly Value[]): Value {
  const alts = [...new Set(values.flatMap((value) => value.alts))].slice(0, 16);
  return { alts, list: values.some((value) => value.list) };
}
