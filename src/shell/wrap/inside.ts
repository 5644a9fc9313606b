import { NOWHERE } from "../marks.ts";
import { type Call, copyScope, type Scope, type Stream, single } from "../model.ts";

/** A shell on another machine or in a container: its folders are not ours. */
export function away(call: Call, place: "remote" | "container"): Scope {
  const scope = copyScope(call.scope, { place, cwd: NOWHERE });
  scope.vars.set("HOME", single("/root"));
  return scope;
}

/** Runs shell text that the program `name` was given. */
export function inside(call: Call, name: string, text: string, scope: Scope): Stream {
  const nested = { ...call, wrappers: [...call.wrappers, name] };
  return call.run.engine.text(nested, text, copyScope(scope), call.stdin);
}
