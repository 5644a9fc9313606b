import { defaultSettings } from "../../src/core/settings.ts";
import type { World } from "../../src/core/world.ts";
import { type CommandJudgement, judgeCommand } from "../../src/policies/guard/risky-commands.ts";

/** The imagined machine that commands in these tests run on. */
export const world: World = {
  root: "/home/dev/app",
  cwd: "/home/dev/app",
  home: "/home/dev",
  tmp: ["/tmp"],
  platform: "linux",
  realpath: (path) => path,
};

export function judge(command: string, changes: Partial<World> = {}): CommandJudgement {
  return judgeCommand(command, defaultSettings, { ...world, ...changes });
}

export function decide(command: string, changes: Partial<World> = {}): string {
  return judge(command, changes).verdict.decision;
}
