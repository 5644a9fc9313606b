import { join } from "node:path";
import { dict, text } from "../core/read.ts";
import { readText } from "../runtime/files.ts";

/** A call of an agent that Holdfast could not be started for, or that a bridge got no answer to. */
export interface Unchecked {
  /** Milliseconds since the epoch; the launcher's own lines are exact to the second. */
  readonly at: number;
  readonly agent: string;
  /** Name of the event, as far as the line says it. */
  readonly event: string | null;
  /** What could not do its part: the program that the hook starts, or the bridge between the agent and it. */
  readonly by: "program" | "bridge";
  readonly cause: string;
  /** Where it was called; null in lines of older versions. */
  readonly cwd: string | null;
}

/** What the launcher, the program and the bridges left in `breadcrumbs.log`, oldest first. */
export function readUnchecked(holdfastHome: string): Unchecked[] {
  const lines = (readText(join(holdfastHome, "breadcrumbs.log")) ?? "").split("\n");
  return lines.flatMap((line) => (line.startsWith("{") ? ofProgram(line) : ofLauncher(line)));
}

/** `2026-11-30T17:02:11Z no Node 20 or newer was found (hook claude-code pre-tool) in /home/me/app` */
const launcherLine = /^(\S+Z) (.*) \(hook (\S+)(?: (\S+))?[^()]*\)(?: in (.*))?$/;

/** Commands that a person typed were told to the person: only hooks count. */
function ofLauncher(line: string): Unchecked[] {
  const [, when = "", cause = "", agent = "", event = null, cwd = null] = launcherLine.exec(line) ?? [];
  const at = Date.parse(when);
  return Number.isNaN(at) ? [] : [{ at, agent, event, by: "program", cause, cwd }];
}

function ofProgram(line: string): Unchecked[] {
  const from = dict(parse(line));
  const at = Date.parse(text(from.at) ?? "");
  const agent = text(from.agent);
  const said = text(from.text);
  if (Number.isNaN(at) || agent === null || said === null) return [];
  const event = text(from.event);
  if (event !== null) return [{ at, agent, event, by: "program", cause: said, cwd: text(from.cwd) }];
  const [, name = null, cause = said] = /^([A-Za-z-]+): (.*)$/.exec(said) ?? [];
  return [{ at, agent, event: name, by: "bridge", cause, cwd: text(from.cwd) }];
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
