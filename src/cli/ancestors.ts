import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** No process tree of a person is deeper. */
const most = 64;

/** The argument lists of a process and those it was started from, nearest first; shorter where the system will not say. */
export function ancestorsOf(pid: number): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let at = pid; at > 1 && found.length < most; ) {
    const one = process.platform === "linux" ? fromProc(at) : fromPs(at);
    if (one === null) break;
    found.push(one.args);
    at = one.parent;
  }
  return found;
}

interface Process {
  readonly args: readonly string[];
  readonly parent: number;
}

function fromProc(pid: number): Process | null {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    // The name in parentheses may itself hold parentheses and blanks.
    const after = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "");
    return { args: args.slice(0, -1), parent: Number(after.trim().split(" ")[1]) };
  } catch {
    return null;
  }
}

function fromPs(pid: number): Process | null {
  try {
    const asked = ["-o", "ppid=,args=", "-p", String(pid)];
    const line = execFileSync("ps", asked, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    const [, parent = "0", args = ""] = /^(\d+)\s+(.*)$/s.exec(line) ?? [];
    return { args: args.split(" "), parent: Number(parent) };
  } catch {
    return null;
  }
}
