import { readFileSync } from "node:fs";

/** True while a process does something; one that only waits to be reaped counts as gone. */
export function alive(pid: number): boolean {
  try {
    if (process.platform === "linux") return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
