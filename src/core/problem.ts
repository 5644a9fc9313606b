/** Where a problem sits, as far as it is known. Lines and columns count from 1. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly agent?: string;
}

export type Severity = "error" | "warning" | "info";

/** An error as data: a stable code, what happened, the cause, and the next command to type. */
export interface Problem {
  /** `HF` and three digits; the groups are those of `holdfast doctor`. */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** The next thing to do, as a command where one exists. */
  readonly hint: string;
  readonly where: Place;
  /** Text of the underlying error, if any. */
  readonly cause: string;
  readonly fixable: boolean;
}

export function problem(
  code: string,
  message: string,
  more: Partial<Omit<Problem, "code" | "message">> = {},
): Problem {
  return { code, severity: "error", message, hint: "", where: {}, cause: "", fixable: false, ...more };
}

/** Carries a problem through code that has no other way out; only `cli/main` and `runtime/hook` catch it. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(p: Problem) {
    super(p.message);
    this.name = "ProblemError";
    this.problem = p;
  }
}

/** Text of anything thrown. */
export function causeOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
