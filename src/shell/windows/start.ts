import { type Call, noText, type Stream } from "../model.ts";
import { type Arguments, parameter } from "./parameters.ts";

/** `Start-Process git -ArgumentList …`, and cmd's `start "title" /b git …`. */
export function startProcess(call: Call, args: Arguments): Stream {
  const named = parameter(args, "filepath");
  const list = parameter(args, "argumentlist", "args");
  const [program = "", ...rest] = named === null ? args.operands : [named, ...args.operands];
  const given = list === null ? [] : list.split(/[\s,]+/);
  const started =
    named === null && list === null ? withoutSwitches(call.argv.slice(1)) : [program, ...given, ...rest];
  if (started.length === 0) return noText;
  return call.run.engine.windows(call, started.join(" "), call.scope, noText);
}

/** What `start` itself takes: a title, `/d folder`, `/wait` and the like. */
function withoutSwitches(words: readonly string[]): readonly string[] {
  let at = /^$|\s/.test(words[0] ?? "x") ? 1 : 0;
  while (/^\/[a-z]+$/i.test(words[at] ?? "")) at += /^\/(?:d|node|affinity)$/i.test(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}
