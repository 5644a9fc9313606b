import type { Scope, Value } from "./model.ts";

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
}

function mergedValue(values: readonly Value[]): Value {
  const alts = [...new Set(values.flatMap((value) => value.alts))].slice(0, 16);
  return { alts, list: values.some((value) => value.list) };
}
