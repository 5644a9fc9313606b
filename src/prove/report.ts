import type { Payloads } from "./recorder.ts";

/** What became of one proof. `not-run`: the agent never came far enough to tell. */
export type Status = "held" | "failed" | "not-run";

export interface ProofResult {
  /** Stable, kebab-case. */
  readonly id: string;
  /** What should be true, in words a person understands. */
  readonly words: string;
  readonly status: Status;
  /** True when Holdfast's own journal shows that the hook ran and decided as it should; null: no hook is meant to. */
  readonly fired: boolean | null;
  /** What was found on disk. */
  readonly disk: string;
  /** The words the model got to read, shortened; empty when it was told nothing. */
  readonly told: string;
  /** Why it did not hold or could not be run; empty when it held. */
  readonly why: string;
}

export interface AgentReport {
  readonly agent: string;
  readonly title: string;
  /** The program that ran. */
  readonly program: string;
  /** What the program says its version is. */
  readonly version: string;
  readonly status: Status;
  /** Why it could not be run at all; empty otherwise. */
  readonly why: string;
  readonly proofs: readonly ProofResult[];
  /** What a headless run cannot show, each with its reason. */
  readonly notProved: readonly string[];
  /** What the agent handed its hooks; null when that was not asked for. */
  readonly payloads: Payloads | null;
  readonly ms: number;
  /** Folder that was kept for inspection; null when it was removed. */
  readonly stage: string | null;
}

export interface Report {
  /** True when the run could reach nothing but this machine. */
  readonly loopbackOnly: boolean;
  readonly agents: readonly AgentReport[];
}

/** Failed beats not-run beats held. */
export function worst(statuses: readonly Status[]): Status {
  if (statuses.includes("failed")) return "failed";
  return statuses.includes("not-run") || statuses.length === 0 ? "not-run" : "held";
}
