import type { Settings } from "../core/settings.ts";
import type { World } from "../core/world.ts";
import { protector } from "../paths/protect.ts";
import { liveWorld } from "../runtime/context.ts";
import type { Exam } from "./check.ts";

/** Session id of the events that `doctor` sends itself; they do not count as a sign of life. */
export const doctorSession = "holdfast-doctor";

/** The world in which the samples are meant: at the top of the project. */
export function worldOf({ machine, cwd, env, home }: Exam): World {
  return liveWorld(machine.root, machine.root ?? cwd, env, home);
}

/** A path that a protected pattern covers and no exception takes back, e.g. `secrets/x` for `secrets/**`; else null. */
export function protectedPath({ protect }: Settings, world: World): string | null {
  const { hit } = protector(protect, world);
  return samplePaths(protect.paths).find((path) => hit(path) !== null) ?? null;
}

/** What patterns stand for, where that can be made from them: one path each, relative to the project. */
export function samplePaths(patterns: readonly string[]): string[] {
  const concrete = patterns.map((pattern) => pattern.replace(/\*+/g, "x").replace(/^\/+|\/+$/g, ""));
  return concrete.filter((path) => /^[\w./-]+$/.test(path));
}

/** A shell call in the wording that agents with JSON payloads share, asking to write one file. */
export function samplePayload(path: string, cwd: string): string {
  return JSON.stringify({
    session_id: doctorSession,
    cwd,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: `echo sample > ${path}` },
    tool_use_id: doctorSession,
  });
}
