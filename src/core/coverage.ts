import type { Can, Cell, Want } from "./can.ts";

/** One thing Holdfast does for a person, as a column of the agent × rule table. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  /** The cells that decide, in order; the first that is not `no` speaks for the agent. */
  readonly needs: readonly Want[];
  /** What is said per effect. */
  readonly words: Readonly<Record<Cell["effect"], string>>;
  /** The same in a word or two, for a table that fits a terminal. */
  readonly brief: Readonly<Record<Cell["effect"], string>>;
}

/** What one agent does with one rule, in words, and the fact behind it. */
export interface Coverage {
  readonly words: string;
  readonly brief: string;
  readonly cell: Cell;
}

export const rules: readonly Rule[] = [
  {
    id: "protect",
    title: "protected files",
    needs: ["pre-tool.deny", "pre-commit.deny"],
    words: { yes: "blocked", deny: "blocked", log: "logged", no: "–" },
    brief: { yes: "blocked", deny: "blocked", log: "logged", no: "–" },
  },
  {
    id: "risky",
    title: "risky commands",
    needs: ["pre-tool.ask"],
    words: { yes: "you are asked", deny: "refused; yours to run", log: "logged", no: "–" },
    brief: { yes: "asked", deny: "refused", log: "logged", no: "–" },
  },
  {
    id: "tests",
    title: "tests at the end",
    needs: ["turn-end.continue", "pre-commit.deny"],
    words: { yes: "sent back", deny: "–", log: "logged", no: "–" },
    brief: { yes: "sent back", deny: "–", log: "logged", no: "–" },
  },
  {
    id: "review",
    title: "large change",
    needs: ["turn-end.message", "pre-commit.message"],
    words: { yes: "you are told", deny: "–", log: "in the log", no: "–" },
    brief: { yes: "told", deny: "–", log: "logged", no: "–" },
  },
];

/** The cell of the table for one agent: what it does in words, and the fact behind it. */
export function coverage(rule: Rule, can: Can): Coverage {
  const deciding = rule.needs.find((want) => can[want].effect !== "no") ?? rule.needs[0];
  if (deciding === undefined) throw new Error(`the rule ${rule.id} needs nothing`);
  const cell = can[deciding];
  if (deciding.startsWith("pre-commit.")) return { ...atCommit(rule, cell), cell };
  return { words: rule.words[cell.effect], brief: rule.brief[cell.effect], cell };
}

function atCommit(rule: Rule, cell: Cell): Omit<Coverage, "cell"> {
  if (cell.effect === "no" || rule.id === "review") return { words: "–", brief: "–" };
  return { words: rule.id === "tests" ? "run at each commit" : "commit refused", brief: "at commit" };
}
