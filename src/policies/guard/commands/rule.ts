import type { World } from "../../../core/world.ts";
import type { Fact, Step, Touch } from "../../../shell/model.ts";
import type { Target } from "./zones.ts";

/** A risk as data. A rule hits by any of `match`, `facts`, `step` or `touch`. */
export interface CommandRule {
  /** `<pack>/<name>`. */
  readonly id: string;
  /** What the command does, for people: completes "This …". */
  readonly words: string;
  /** What is lost when it was a mistake. */
  readonly loss: string;
  /** A command or a way that is safer. Commands stand in backticks and pass the rules themselves. */
  readonly safer: string;
  /** Patterns of commands, see `match.ts`. */
  readonly match?: readonly string[];
  readonly facts?: readonly Fact[];
  /** Programs that `step` looks at; every program when absent. */
  readonly programs?: readonly string[];
  readonly step?: (step: Step, view: View) => boolean;
  readonly touch?: (touch: Touch, target: Target, view: View) => boolean;
}

/** What a rule may look at besides its own step. */
export interface View {
  readonly world: World;
  /** Touches of the step. */
  readonly touches: readonly Touch[];
}

export interface Pack {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly CommandRule[];
}
