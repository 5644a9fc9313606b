import { relative, sep } from "node:path";
import { createColors } from "picocolors";
import type { Problem, Severity } from "../core/problem.ts";
import type { Outcome, Paint, Screen } from "./command.ts";

/** Where the texts go, and how. */
export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly width: number;
  readonly cwd: string;
  readonly home: string;
  stdout(text: string): void;
  stderr(text: string): void;
}

export function createScreen(options: OutputOptions): Screen {
  const { json, quiet } = options;
  const paint: Paint = createColors(options.color);
  const path = (absolute: string) => shortPath(absolute, options.cwd, options.home);
  return {
    paint,
    width: options.width,
    path,
    print: (text = "") => (json ? undefined : options.stdout(`${text}\n`)),
    progress: (text) => (json || quiet ? undefined : options.stderr(`${text}\n`)),
    problem: (p) => (json ? undefined : options.stderr(`${problemLines(p, paint, path).join("\n")}\n`)),
  };
}

/** A problem as `doctor` and every error shows it: code and place, the cause, what to do next. */
export function problemLines(p: Problem, paint: Paint, path: (absolute: string) => string): string[] {
  const place = [p.where.agent, placeOf(p, path)]
    .filter((part) => part !== undefined && part !== "")
    .join("  ");
  const head = `${mark(p.severity, paint)} ${p.code}  ${place === "" ? "" : `${place}  `}${p.message}`;
  const cause = p.cause === "" ? [] : [paint.dim(`         ${firstLine(p.cause)}`)];
  const hint = p.hint === "" ? [] : [`         ${paint.dim("→")} ${p.hint}`];
  return [head, ...cause, ...hint];
}

function mark(severity: Severity, paint: Paint): string {
  if (severity === "error") return paint.red("✕");
  return severity === "warning" ? paint.yellow("!") : paint.dim("·");
}

/** The `--json` envelope; the same for every command. */
export function envelope(command: string, version: string, outcome: Outcome): string {
  const findings = outcome.findings.map((p) => ({
    code: p.code,
    severity: p.severity,
    message: p.cause === "" ? p.message : `${p.message}: ${p.cause}`,
    hint: p.hint,
    file: p.where.file ?? null,
    line: p.where.line ?? null,
    column: p.where.column ?? null,
    agent: p.where.agent ?? null,
    fixable: p.fixable,
  }));
  const ok = outcome.exitCode === 0;
  return `${JSON.stringify({ tool: "holdfast", version, command, ok, data: outcome.data, findings })}\n`;
}

/** Rows in aligned columns, two spaces apart; the last column is not padded. */
export function table(rows: readonly (readonly string[])[], indent = "  "): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(text));
  }
  return rows.map((row) => {
    const cells = row.map((text, column) =>
      column === row.length - 1 ? text : text + " ".repeat((widths[column] ?? 0) - widthOf(text)),
    );
    return `${indent}${cells.join("  ")}`.trimEnd();
  });
}

/**
 * Words in lines of at most `width` columns, the first after `lead`, the others below the first word or after
 * `indent`. A word that is longer stands alone.
 */
export function flow(
  lead: string,
  words: readonly string[],
  width: number,
  indent = " ".repeat(widthOf(lead)),
): string[] {
  const lines: string[] = [];
  let line = lead;
  let empty = true;
  for (const word of words) {
    if (!empty && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line.trimEnd());
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line.trimEnd()];
}

/** Columns a text takes on a terminal, colours not counted. */
function widthOf(text: string): number {
  return [...text.replace(/\u001b\[[0-9;]*m/g, "")].length;
}

function placeOf(p: Problem, path: (absolute: string) => string): string {
  const { file, line, column } = p.where;
  if (file === undefined) return "";
  return line === undefined ? path(file) : `${path(file)}:${line}:${column ?? 1}`;
}

function shortPath(absolute: string, cwd: string, home: string): string {
  const below = relative(cwd, absolute);
  if (below === "") return ".";
  if (!below.startsWith("..")) return below;
  return absolute.startsWith(home + sep) ? `~${absolute.slice(home.length)}` : absolute;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

/** A unified diff in the usual colours. */
export function diffLines(diff: string, paint: Paint): string[] {
  return diff
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (/^(---|\+\+\+|@@)/.test(line)) return paint.dim(line);
      if (line.startsWith("+")) return paint.green(line);
      return line.startsWith("-") ? paint.red(line) : line;
    });
}
