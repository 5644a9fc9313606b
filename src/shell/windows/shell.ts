import type { Call, Run, Scope, Stream } from "../model.ts";
import type { WindowsCommand, WindowsNames } from "./tokenize.ts";

/** What PowerShell or cmd knows at one point of a script. */
export interface WindowsShell {
  readonly run: Run;
  readonly scope: Scope;
  readonly stdin: Stream;
  readonly wrappers: readonly string[];
}

/** What runs the parts of a script: the bodies of loops and functions, the commands behind `=`. */
export interface Runner {
  text(shell: WindowsShell, source: string): Stream;
  command(shell: WindowsShell, command: WindowsCommand): Stream;
}

export function namesOf(shell: WindowsShell): WindowsNames {
  return { variable: (name) => shell.scope.vars.get(`ps:${name}`)?.alts[0] ?? defaults(shell, name) };
}

function defaults(shell: WindowsShell, name: string): string | undefined {
  switch (name) {
    case "env:userprofile":
    case "env:home":
    case "home":
      return shell.run.world.home;
    case "env:temp":
    case "env:tmp":
      return shell.run.world.tmp[0] ?? "/tmp";
    case "profile":
      return `${shell.run.world.home}/Documents/PowerShell/Microsoft.PowerShell_profile.ps1`;
    case "pwd":
    case "psscriptroot":
    case "env:cd":
      return shell.scope.cwd;
    case "true":
    case "false":
    case "null":
      return `$${name}`;
    case "env:systemdrive":
      return "C:";
    case "env:systemroot":
    case "env:windir":
      return "C:\\Windows";
    case "env:appdata":
      return `${shell.run.world.home}/AppData/Roaming`;
    case "env:localappdata":
      return `${shell.run.world.home}/AppData/Local`;
    case "env:programdata":
      return "C:\\ProgramData";
    case "env:programfiles":
      return "C:\\Program Files";
    default:
      return undefined;
  }
}

export function callOf(shell: WindowsShell, command: WindowsCommand): Call & { argv: string[] } {
  const argv = command.words.map((word) => word.text);
  return { ...shell, argv, env: environmentOf(shell.scope) };
}

/** What `$env:X = …` and cmd's `set X=…` have set so far. */
function environmentOf({ vars }: Scope): Map<string, string> {
  const env = new Map<string, string>();
  for (const [name, { alts }] of vars)
    if (name.startsWith("ps:env:")) env.set(name.slice(7).toUpperCase(), alts[0] ?? "");
  return env;
}
