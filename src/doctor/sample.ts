import type { Settings } from "../core/settings.ts";

/** Session id of the events that `doctor` sends itself; they do not count as a sign of life. */
export const doctorSession = "holdfast-doctor";

/** A path that the first protected pattern covers, e.g. `secrets/x` for `secrets/**`; null when nothing is. */
export function protectedPath({ protect }: Settings): string | null {
  const concrete = protect.paths.map((pattern) => pattern.replace(/\*+/g, "x").replace(/^\/+|\/+$/g, ""));
  return concrete.find((path) => /^[\w./-]+$/.test(path) && path !== "") ?? null;
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
