import { isLedgerProblem, readLedger } from "../../install/ledger.ts";
import type { Check } from "../check.ts";

/** The record of what was written can be read, so that all of it can be taken out again. */
export const check: Check = {
  id: "ledger",
  words: "the record of what was written can be read",
  find({ holdfastHome }) {
    const found = readLedger(holdfastHome);
    return isLedgerProblem(found) ? [found] : [];
  },
};
