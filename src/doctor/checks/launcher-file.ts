import { accessSync, chmodSync, constants, existsSync, statSync } from "node:fs";
import { type Problem, problem } from "../../core/problem.ts";
import { findProgram } from "../../install/detect.ts";
import { launcherPath } from "../../install/launcher.ts";
import type { Check, Exam } from "../check.ts";
import { hasLine, hintsOf } from "../hand-line.ts";
import { installedScopes } from "../standing.ts";

/** There is something for the installed commands to start, on this machine. */
export const check: Check = {
  id: "launcher-file",
  words: "the installed commands find Holdfast",
  find: launcherFaults,
  fix(_exam, { code, where }) {
    if (code !== notExecutable || where.file === undefined) return null;
    chmodSync(where.file, (statSync(where.file).mode & 0o7777) | 0o755);
    return "executable again";
  },
};

const notExecutable = "HF106";

/** Why no hook can reach Holdfast: it concerns every agent that is installed. Windows is not looked at. */
export function launcherFaults({ holdfastHome, env, machine, setups }: Exam): Problem[] {
  const isUsed = setups.some(
    (setup) => installedScopes(setup, machine).length > 0 || hintsOf(setup, machine).some(hasLine),
  );
  if (!isUsed || machine.platform === "win32") return [];
  const file = launcherPath(holdfastHome);
  if (!existsSync(file)) {
    if (findProgram("holdfast", env, machine.platform) !== null) return [];
    const message = "hooks find no Holdfast, so they allow everything";
    const hint = "holdfast install writes the launcher anew.";
    return [problem("HF105", message, { hint, where: { file } })];
  }
  if (isExecutable(file)) return [];
  const message = "the launcher may not be executed, so hooks allow everything";
  return [problem(notExecutable, message, { hint: `chmod +x '${file}'`, where: { file }, fixable: true })];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
