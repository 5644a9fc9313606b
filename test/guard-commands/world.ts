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

/** A machine as Windows describes it. */
export const windows = {
  root: "C:\\Users\\dev\\app",
  cwd: "C:\\Users\\dev\\app",
  home: "C:\\Users\\dev",
  tmp: ["C:\\Users\\dev\\AppData\\Local\\Temp"],
  platform: "win32",
} as const;

export function judge(command: string, changes: Partial<World> = {}): CommandJudgement {
  return judgeCommand(command, defaultSettings, { ...world, ...changes });
}

export function decide(command: string, changes: Partial<World> = {}): string {
  return judge(command, changes).verdict.decision;
}
