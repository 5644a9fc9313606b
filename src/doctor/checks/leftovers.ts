import { problem } from "../../core/problem.ts";
import { findLeftovers } from "../../install/leftovers.ts";
import { removeIfThere } from "../../runtime/files.ts";
import type { Check } from "../check.ts";

/** No install that was killed left anything in the folders it writes to. */
export const check: Check = {
  id: "leftovers",
  words: "no killed install left anything",
  find({ setups, machine }) {
    return findLeftovers(setups, machine).map((file) =>
      problem("HF130", "a temp file of ours, left by an install that was killed", {
        severity: "info",
        hint: "`holdfast doctor --fix` removes it, and so does the next install or uninstall.",
        where: { file },
        fixable: true,
      }),
    );
  },
  fix(exam, { where }) {
    const { file } = where;
    if (file === undefined || !findLeftovers(exam.setups, exam.machine).includes(file)) return null;
    removeIfThere(file);
    return "removed";
  },
};
