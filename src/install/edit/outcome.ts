import type { Problem } from "../../core/problem.ts";
import type { Change } from "./text.ts";

/** What an editor proposes for one file plan. The text of the file is never touched here. */
export type Outcome =
  | {
      readonly kind: "change";
      readonly change: Change;
      /**
       * How many keys of the plan's path existed before: the others were created and go again when empty.
       * Equal to the path's length when nothing but the entry was added.
       */
      readonly keysBefore: number;
      readonly warnings: readonly Problem[];
    }
  | { readonly kind: "same"; readonly warnings: readonly Problem[] }
  | { readonly kind: "refused"; readonly problem: Problem };

export function refused(problem: Problem): Outcome {
  return { kind: "refused", problem };
}
