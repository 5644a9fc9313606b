import { type Call, type Scope, single } from "../model.ts";
import { recordStep } from "../record.ts";
import { type Arguments, parameter } from "./parameters.ts";
import { callOf, type WindowsShell } from "./shell.ts";
import type { WindowsCommand } from "./tokenize.ts";

/** cmd's `set X=y` and `set "X=y"`. */
export function setByCmd({ scope }: WindowsShell, rest: WindowsCommand["words"]): void {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(rest.map((word) => word.text).join(" ")) ?? [];
  if (name !== undefined) keep(scope, name, (value ?? "").trim());
}

/** `$env:X = 'y'`, `[Environment]::SetEnvironmentVariable('X', 'y')`: for what follows or for good, a step of its own. */
export function setVariable(shell: WindowsShell, name: string, value: string): void {
  keep(shell.scope, name, value);
  const argv = ["set-item", `env:${name.toUpperCase()}`, value];
  recordStep({ ...callOf(shell, { words: [], into: [], piped: false, called: false }), argv }, "set-item");
}

/** `Set-Item env:X y`, `New-Item env:X -Value y`; false where it is about anything else. */
export function setByItem(call: Call, args: Arguments): boolean {
  const name = /^env:[\\/]?(\w+)$/i.exec(parameter(args, "path") ?? args.operands[0] ?? "")?.[1];
  if (name === undefined) return false;
  keep(call.scope, name, parameter(args, "value") ?? args.operands[1] ?? "");
  return true;
}

function keep({ vars }: Scope, name: string, value: string): void {
  vars.set(`ps:env:${name.toLowerCase()}`, single(value));
}
