import type { Problem } from "../core/problem.ts";
import type { AgentSetup, Machine } from "../core/setup.ts";
import type { Project } from "../git/project.ts";
import type { Ledger } from "../install/ledger.ts";
import type { LoadedSettings } from "../manifest/snapshot.ts";

/** Everything a check may look at. Gathered once; checks only read. */
export interface Exam {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly project: Project | null;
  readonly machine: Machine;
  readonly manifest: LoadedSettings;
  /** Null when the record of what was written is damaged; `checks/ledger.ts` says so. */
  readonly ledger: Ledger | null;
  /** Where Holdfast keeps its own files. */
  readonly holdfastHome: string;
  /** The agents to look at. */
  readonly setups: readonly AgentSetup[];
  /** Agents whose program or folder was found on this machine. */
  readonly present: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Faults that are over and those of other projects are wanted as well. */
  readonly everything: boolean;
}

/** One thing that can be wrong. */
export interface Check {
  /** Kebab-case, the file's name. */
  readonly id: string;
  /** What is fine when nothing is found, e.g. `the manifest can be read`. */
  readonly words: string;
  /** Starts processes; left out of the overview. */
  readonly slow?: boolean;
  find(exam: Exam): readonly Problem[] | Promise<readonly Problem[]>;
  /** Repairs one fixable finding; the words say what was done. Null: it could not. */
  fix?(exam: Exam, found: Problem): string | null | Promise<string | null>;
}

/** A finding and the check it comes from. */
export interface Finding {
  readonly check: string;
  readonly problem: Problem;
}

export interface Examination {
  readonly findings: readonly Finding[];
  /** Words of the checks that found nothing. */
  readonly passed: readonly string[];
}
