import { readFileSync } from "node:fs";
import { type ParseError, parse } from "jsonc-parser";
import { causeOf, type Problem, problem } from "../../core/problem.ts";
import type { Check } from "../check.ts";
import { placeIn } from "../standing.ts";

/**
 * Agents read their hook files as strict JSON. A comment or a trailing comma, which editors accept, makes them
 * drop the whole file without a word.
 */
export const check: Check = {
  id: "plain-json",
  words: "no settings file holds comments or commas that make an agent drop it",
  find({ setups, machine }) {
    const files = new Map<string, string>();
    for (const setup of setups) {
      const plans = setup.scopes.flatMap((scope) => setup.files(scope, machine));
      for (const plan of plans)
        if (plan.kind === "json-list" && plan.strict !== false && plan.file.endsWith(".json"))
          files.set(plan.file, setup.agent.id);
    }
    return [...files].flatMap(([file, agent]) => strictly(file, agent));
  },
};

function strictly(file: string, agent: string): Problem[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch {
    return [];
  }
  if (text.trim() === "") return [];
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const faults: ParseError[] = [];
    parse(text, faults, { allowTrailingComma: true });
    // What does not parse even with comments allowed is told by the entries check.
    if (faults.length > 0) return [];
    const where = { file, agent, ...placeIn(text, strictFault(text)) };
    const hint = "Take the comment or the last comma out.";
    return [
      problem("HF111", "a comment or a trailing comma: the agent may drop the whole file, hooks included", {
        cause: causeOf(error),
        hint,
        where,
      }),
    ];
  }
}

/** Offset of the first comment or trailing comma outside a string. */
function strictFault(text: string): number {
  const found = /"(?:[^"\\]|\\.)*"|(\/[/*]|,(?=\s*[}\]]))/g;
  for (const match of text.matchAll(found)) if (match[1] !== undefined) return match.index;
  return 0;
}
