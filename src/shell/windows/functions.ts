import { type Call, copyScope, type Stream, single } from "../model.ts";
import { readArguments } from "./parameters.ts";
import type { Runner, WindowsShell } from "./shell.ts";
import { closeBracket, type WindowsCommand } from "./tokenize.ts";

/** `function f($a) { … }` and `Set-Alias f g` are kept for later calls; true where it is one of a function. */
export function isDefinition({ scope }: WindowsShell, { words }: WindowsCommand): boolean {
  const [head = "", ...rest] = words.map((word) => word.text);
  if (/^(?:set-alias|new-alias|sal|nal)$/i.test(head)) {
    const [alias, meant] = rest.filter((word) => !/^-(?:name|value|force|scope|option)$/i.test(word));
    if (alias !== undefined && meant !== undefined)
      scope.vars.set(`ps:alias:${alias.toLowerCase()}`, single(meant));
    return false;
  }
  if (!/^(?:function|filter)$/i.test(head)) return false;
  const [, name, list, body] =
    /^(?:global:|script:)?([\w-]+)\s*(?:\(([^)]*)\))?\s*\{([\s\S]*)\}$/i.exec(rest.join(" ")) ?? [];
  if (name === undefined || body === undefined) return false;
  const alts = list === undefined ? parted(body) : [list, body];
  scope.vars.set(`ps:function:${name.toLowerCase()}`, { alts, list: true });
  return true;
}

/** What stands in the brackets of `param(…)`, and what follows. */
function parted(body: string): [parameters: string, rest: string] {
  const found = /\bparam\s*\(/i.exec(body);
  if (found === null) return ["", body];
  const open = found.index + found[0].length;
  const end = closeBracket(body, open - 1);
  return [body.slice(open, end), body.slice(end + 1)];
}

/** The command that a name set by `Set-Alias` stands for. */
export function aliased({ vars }: WindowsShell["scope"], name: string): string {
  return vars.get(`ps:alias:${name}`)?.alts[0]?.toLowerCase() ?? name;
}

/** Runs a function of this script with its arguments; null for any other command. */
export function callFunction(shell: WindowsShell, call: Call, name: string, run: Runner): Stream | null {
  const [list = "", body] = shell.scope.vars.get(`ps:function:${name}`)?.alts ?? [];
  if (body === undefined) return null;
  const scope = copyScope(shell.scope);
  const { named, operands } = readArguments(call.argv.slice(1));
  const parameters = list
    .replace(/\[[^\]]*\]/g, "")
    .split(",")
    .flatMap((one) => /\$(\w+)/.exec(one)?.[1]?.toLowerCase() ?? []);
  const left = [...operands];
  for (const parameter of parameters) {
    const value = named.find(([word]) => parameter.startsWith(word))?.[1] ?? left.shift();
    if (value !== undefined) scope.vars.set(`ps:${parameter}`, single(value));
  }
  scope.vars.set("ps:args", single(call.argv.slice(1).join("\n")));
  const output = run.text({ ...shell, scope }, body);
  shell.scope.cwd = scope.cwd;
  return output;
}
