import type { OwnRule, Strength } from "../core/settings.ts";
import { normalPattern, patternFault, ruleIdOf } from "./command-pattern.ts";
import { type About, type Field, quote, type Read, type Written, type Wrong } from "./field.ts";
import { nearest } from "./nearest.ts";

const strengths: readonly Strength[] = ["ask", "deny", "off"];

/** A map from known names to what happens. An unknown name or value is left out and said. */
export function strengthsBy(
  known: readonly string[],
  what: string,
  about: About<Readonly<Record<string, Strength>>>,
): Field<Readonly<Record<string, Strength>>> {
  return {
    default: about.default,
    words: about.words,
    note: about.note ?? "",
    json: {
      type: "object",
      propertyNames: { enum: known },
      additionalProperties: { enum: strengths },
    },
    read({ entries }) {
      if (entries === null)
        return refusal(
          about.default,
          "wants names with ask, deny or off",
          `For example { ${known[0]}: deny }`,
        );
      const value: Record<string, Strength> = {};
      const wrong: Wrong[] = [];
      for (const [key, written] of entries) {
        const strength = strengths.find((word) => word === written.raw);
        if (!known.includes(key)) wrong.push(unknownName(key, what, known));
        else if (strength === undefined)
          wrong.push(fault(`wants ask, deny or off for "${key}"`, "", { key }));
        else value[key] = strength;
      }
      return { value, wrong };
    },
    write: (value) => {
      const pairs = Object.entries(value).map(([key, strength]) => `${key}: ${strength}`);
      return pairs.length === 0 ? "{}" : `{ ${pairs.join(", ")} }`;
    },
    plain: (value) => value,
  };
}

const keys = ["match", "verdict", "message", "instead"] as const;
type Key = (typeof keys)[number];

/** The person's own rules. One that is wrong is left out and said; the others count. */
export function ruleList(about: About<readonly OwnRule[]>): Field<readonly OwnRule[]> {
  const text = { type: "string" };
  return {
    default: about.default,
    words: about.words,
    note: about.note ?? "",
    json: {
      type: "array",
      items: {
        type: "object",
        required: ["match"],
        additionalProperties: false,
        properties: {
          match: { ...text, minLength: 1 },
          verdict: { enum: ["ask", "deny"] },
          message: text,
          instead: text,
        },
      },
    },
    read({ items }) {
      if (items === null) return refusal(about.default, "wants a list of rules", example);
      const rules: OwnRule[] = [];
      const wrong: Wrong[] = [];
      for (const [index, item] of items.entries()) {
        const read = readRule(item, index);
        wrong.push(...read.wrong);
        if (read.value !== null) rules.push(distinct(read.value, rules));
      }
      return { value: rules, wrong };
    },
    write: (value) => `[${value.map(written).join(", ")}]`,
    plain: (value) => value,
  };
}

const example = 'For example [{ match: "npm install", verdict: deny, instead: "pnpm add" }]';

function readRule({ entries }: Written, index: number): Read<OwnRule | null> {
  if (entries === null)
    return { value: null, wrong: [fault("wants rules with match and verdict", example, { index })] };
  const wrong: Wrong[] = [];
  const given: Partial<Record<Key, string>> = {};
  for (const [key, value] of entries) {
    const known = keys.find((one) => one === key);
    if (known === undefined) wrong.push({ ...unknownName(key, "key of a rule", keys), index });
    else if (typeof value.value !== "string" && known !== "verdict")
      wrong.push(fault(`wants a text for "${key}"`, `Put it in quotes: ${quote(value.raw)}`, { index, key }));
    else given[known] = value.raw === "" ? "" : String(value.value);
  }
  const { match, verdict = "ask", message = "", instead = "" } = given;
  if (match === undefined)
    return { value: null, wrong: [...wrong, fault("wants a match in each rule", example, { index })] };
  const bad = patternFault(match);
  if (bad !== null)
    return { value: null, wrong: [...wrong, fault(bad.message, bad.hint, { index, key: "match" })] };
  if (verdict !== "ask" && verdict !== "deny")
    return {
      value: null,
      wrong: [...wrong, fault("wants ask or deny as verdict", "", { index, key: "verdict" })],
    };
  return { value: { id: ruleIdOf(match), match: normalPattern(match), verdict, message, instead }, wrong };
}

/** Two rules may have patterns with the same words. */
function distinct(rule: OwnRule, others: readonly OwnRule[]): OwnRule {
  const same = others.filter(({ id }) => id === rule.id || id.startsWith(`${rule.id}-`)).length;
  return same === 0 ? rule : { ...rule, id: `${rule.id}-${same + 1}` };
}

function written({ match, verdict, message, instead }: OwnRule): string {
  const more = Object.entries({ message, instead }).filter(([, value]) => value !== "");
  return `{ match: ${quote(match)}, verdict: ${verdict}${more.map(([key, value]) => `, ${key}: ${quote(value)}`).join("")} }`;
}

function unknownName(key: string, what: string, known: readonly string[]): Wrong {
  const near = nearest(key, known);
  const message = `knows no ${what} "${key}"${near === null ? "" : ` — did you mean "${near}"?`}`;
  const listed = known.length > 20 ? "They are listed in docs/rules.md." : `Known: ${known.join(", ")}.`;
  return fault(message, near === null ? listed : "", { key });
}

function fault(message: string, hint: string, at: { readonly index?: number; readonly key?: string }): Wrong {
  return { message, hint, index: at.index ?? null, key: at.key ?? null, stays: "it is left out" };
}

function refusal<T>(value: T, message: string, hint: string): Read<T> {
  return { value, wrong: [{ message, hint, index: null }] };
}
