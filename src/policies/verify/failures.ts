import type { Run } from "../context.ts";
import { plain } from "./tail.ts";

/**
 * What failed in a run, comparable with another run: the lines that name failures, without numbers that
 * change by themselves (times, ports, line numbers, temp paths). Where no line names a failure, the last
 * lines of the output. Empty when the output is not there in full: then nothing can be said.
 */
export function failuresOf(run: Run): string[] {
  if (run.omitted > 0) return [];
  const lines = plain(run.output).split("\n").map(steady).filter(Boolean);
  const naming = lines.filter((line) => namesFailure.test(line));
  const found = [...new Set(naming.length > 0 ? naming : lines.slice(-40))];
  if (found.length > mostFailures) return [];
  return found.length > 0 ? found : [`no output, ${endedOf(run)}`];
}

/** True when every failure of now was among the earlier ones. Never true without failures to compare. */
export function areAmong(now: readonly string[], earlier: readonly string[]): boolean {
  const known = new Set(earlier);
  return now.length > 0 && now.every((failure) => known.has(failure));
}

/** How a run ended, in words. */
export function endedOf(run: Run): string {
  if (run.end === "timeout") return `stopped after ${durationOf(run.ms)}`;
  if (run.end === "could-not-start") return "could not start";
  return run.end === "signal" ? `ended by ${run.signal ?? "a signal"}` : `exit ${run.code}`;
}

/** Beyond this the list is no use as a record. */
const mostFailures = 500;

const namesFailure =
  /\b(fail(ed|ures?|ing)?|errors?|panick?ed|exception|not ok|traceback)\b|[✕✖✗×●]|Error\b/i;

function steady(line: string): string {
  return line
    .replace(/(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\/\S+/g, "<temp>")
    .replace(/\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*[0-9])[0-9a-f]{7,}\b/gi, "#")
    .replace(/(?<![\p{L}\p{N}_])\d+(?:[.,:]\d+)*\s?(?:µs|ms|s|m|h)?(?![\p{L}\p{N}_])/gu, "#")
    .replace(/\s+/g, " ")
    .trim();
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return `${Math.round(ms)} ms`;
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
