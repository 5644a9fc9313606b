import type { Can, Cell, Want } from "./can.ts";

/** One thing Holdfast does for a person, as a column of the agent × rule table. */
export interface Rule {
  readonly id: string;
  readonly title: string;
  /** The cells that decide, in order; the first that is not `no` speaks for the agent. */
  readonly needs: readonly Want[];
  /** What is said per effect. */
  readonly words: Readonly<Record<Cell["effect"], string>>;
}

export const rules: readonly Rule[] = [
  {
    id: "protect",
    title: "protected files",
    needs: ["pre-tool.deny", "pre-commit.deny"],
    words: { yes: "blocked", deny: "blocked", log: "logged", no: "–" },
  },
  {
    id: "risky",
    title: "risky commands",
    needs: ["pre-tool.ask"],
    words: { yes: "you are asked", deny: "refused; yours to run", log: "logged", no: "–" },
  },
  {
    id: "tests",
    title: "tests at the end",
    needs: ["turn-end.continue", "pre-commit.deny"],
    words: { yes: "sent back", deny: "–", log: "logged", no: "–" },
  },
  {
    id: "review",
    title: "large change",
    needs: ["turn-end.message", "pre-commit.message"],
    words: { yes: "you are told", deny: "–", log: "in the log", no: "–" },
  },
];

/** The cell of the table for one agent: what it does in words, and the fact behind it. */
export function coverage(rule: Rule, can: Can): { readonly words: string; readonly cell: Cell } {
  const deciding = rule.needs.find((want) => can[want].effect !== "no") ?? rule.needs[0];
  if (deciding === undefined) throw new Error(`the rule ${rule.id} needs nothing`);
  const cell = can[deciding];
  return { words: deciding.startsWith("pre-commit.") ? atCommit(rule, cell) : rule.words[cell.effect], cell };
}

function atCommit(rule: Rule, cell: Cell): string {
  if (cell.effect === "no" || rule.id === "review") return "–";
  return rule.id === "tests" ? "run at each commit" : "commit refused";
}
