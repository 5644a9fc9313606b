import { problem } from "../../core/problem.ts";
import type { FilePlan } from "../../core/setup.ts";
import { insertLast } from "./json.ts";
import { removeChild } from "./json-remove.ts";
import { childrenOf, isFault, parseJson, propertiesNamed, propertyValue } from "./json-tree.ts";
import { type Outcome, refused } from "./outcome.ts";
import { applyChange, type Change, placeAt } from "./text.ts";

type JsonKeyPlan = Extract<FilePlan, { kind: "json-key" }>;

/** Finds the one span that adds the key behind the others. A key that is there stays, whatever its value. */
export function planJsonKey(plan: JsonKeyPlan, text: string): Outcome {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const parsed = parseJson(text.slice(bom));
  const where = { file: plan.file };
  if (isFault(parsed)) {
    const message = `the file does not parse (${parsed.words}), so nothing is written to it`;
    const hint = "repair the file, then run the command again";
    return refused(
      problem("HF104", message, { hint, where: { ...where, ...placeAt(text, parsed.offset + bom) } }),
    );
  }
  const { root } = parsed;
  if (root !== null && root.type !== "object") {
    const message = "the file's value is no object, so nothing is written";
    return refused(problem("HF110", message, { hint: "repair the file, then run the command again", where }));
  }
  if (root !== null && propertiesNamed(root, plan.key).length > 0) return { kind: "same", warnings: [] };
  const change = insertLast(parsed, root, plan.key, plan.value);
  return { kind: "change", change: { ...change, at: change.at + bom }, keysBefore: 0, warnings: [] };
}

/** Takes the key out when nothing but it and emptied containers is left. Null when the text does not parse. */
export function removeJsonKey(
  text: string,
  key: string,
): { readonly text: string; readonly changes: readonly Change[] } | null {
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const parsed = parseJson(text.slice(bom));
  if (isFault(parsed)) return null;
  const members = parsed.root === null ? [] : childrenOf(parsed.root);
  const ours = parsed.root === null ? undefined : propertiesNamed(parsed.root, key)[0];
  const others = members.filter((member) => member !== ours);
  const alone = others.every((member) => {
    const value = propertyValue(member);
    return value !== null && ["object", "array"].includes(value.type) && childrenOf(value).length === 0;
  });
  if (parsed.root === null || ours === undefined || !alone) return { text, changes: [] };
  let rest = text;
  const changes: Change[] = [];
  for (const change of removeChild(parsed.text, parsed.root, ours)) {
    const shifted = { ...change, at: change.at + bom };
    rest = applyChange(rest, shifted);
    changes.push(shifted);
  }
  return { text: rest, changes };
}
