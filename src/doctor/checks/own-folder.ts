import { existsSync } from "node:fs";
import { join } from "node:path";
import { causeOf, problem } from "../../core/problem.ts";
import { removeIfThere, writeAtomic } from "../../runtime/files.ts";
import type { Check } from "../check.ts";

/** Holdfast can write down what it decides: on a full disk there is no record that could tell of it. */
export const check: Check = {
  id: "own-folder",
  words: "Holdfast can write its records",
  find({ holdfastHome }) {
    if (!existsSync(holdfastHome)) return [];
    const file = join(holdfastHome, "doctor.tmp");
    try {
      writeAtomic(file, " ".repeat(blockBytes), { mode: 0o600, replaceLink: true });
      return [];
    } catch (error) {
      const message =
        "Holdfast cannot write its records: the guard holds, but approvals, test results and the journal are lost";
      const hint = `Free some space, or make the folder writable: df -h '${holdfastHome}'; ls -ld '${holdfastHome}'`;
      return [problem("HF813", message, { cause: causeOf(error), hint, where: { file: holdfastHome } })];
    } finally {
      removeIfThere(file);
    }
  },
};

/** A full disk may have some bytes left in the last block of a file. */
const blockBytes = 8192;
