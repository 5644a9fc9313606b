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
  const naming = lines.filter((line) => namesFailure.test(line) && !namesPass.test(line));
  const found = naming.length > 0 ? naming : lines.slice(-40);
  if (found.length > mostFailures) return [];
  return found.length > 0 ? found : [`no output, ${endedOf(run)}`];
}

/** True when every failure of now was among the earlier ones, as often. Never true without failures to compare. */
export function areAmong(now: readonly string[], earlier: readonly string[]): boolean {
  const left = [...earlier];
  return (
    now.length > 0 &&
    now.every((failure) => {
      const at = left.indexOf(failure);
      if (at !== -1) left.splice(at, 1);
      return at !== -1;
    })
  );
}

/** How a run ended, in words. */
export function endedOf(run: Run): string {
  if (run.end === "timeout") return `stopped after ${durationOf(run.ms)}`;
  if (run.end === "could-not-start") return "could not start";
  if (run.end === "signal") return `ended by ${run.signal ?? "a signal"}`;
  const signal = signals[(run.code ?? 0) - 128];
  return `exit ${run.code}${signal === undefined ? "" : `, ${signal}`}`;
}

/** A shell reports a child's signal as 128 plus its number. */
const signals: Readonly<Record<number, string>> = {
  4: "SIGILL",
  6: "SIGABRT",
  9: "SIGKILL",
  11: "SIGSEGV",
  15: "SIGTERM",
};

/** Beyond this the list is no use as a record. */
const mostFailures = 500;

const namesFailure =
  /\b(fail(ed|ures?|ing)?|errors?|panick?ed|exception|not ok|traceback)\b|[✕✖✗×●]|Error\b/i;

/** A passing test may be about errors. */
const namesPass = /^(?:✓|✔|√|ok\b|PASS\b)|\bPASSED\b|\.\.\. ok$/;

/** Parts of a line that differ between two runs of the same failure. A number that may belong to a name stays. */
const volatileParts = (): readonly (readonly [RegExp, string])[] => [
  [/(?:\/private)?\/(?:tmp|var\/folders|var\/tmp)\/\S+/g, "<temp>"],
  [/\b0x[0-9a-f]+\b|\b(?=[0-9a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,}\b/gi, "#"],
  [/(?<![\p{L}\p{N}_#])\d+(?:\.\d+)?\s?(?:[µnm]?s|secs?|seconds?|min|minutes?)\b/gu, "#"],
  [/(?<![\p{L}\p{N}_#])\d+\.\d+(?![\p{L}\p{N}_])/gu, "#"],
  // Positions and counts: `a.py:12:5`, `Failures: 2`, `(12,5)`, `line 12`.
  [/(?<=[:=]\s?|\bline )\d+|(?<=\()\d+(?:,\d+)?(?=\))/g, "#"],
  [
    /\b\d+(?= (?:tests?|suites?|files?|pass(?:ed|ing)|fail(?:ed|ing|ures?)|errors?|skipped|pending|examples?|total)\b)/gi,
    "#",
  ],
  // Numbering: TAP's `not ok 3 - …`, mocha's `3) …`.
  [/^(\s*)(not ok |ok )?\d+(?=\)| - )/g, "$1$2#"],
  [/\s+/g, " "],
];

let volatile: ReturnType<typeof volatileParts> | null = null;

function steady(line: string): string {
  // Not at start: a hook that runs no tests need not read the patterns.
  volatile ??= volatileParts();
  return volatile.reduce((text, [part, by]) => text.replace(part, by), line).trim();
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return `${Math.round(ms)} ms`;
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
