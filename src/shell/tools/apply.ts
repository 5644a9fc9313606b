import { globbed } from "../marks.ts";
import type { Action, Call } from "../model.ts";
import { has, optionValues, type Parsed, readOptions } from "../options.ts";
import { touch } from "../record.ts";
import { specialTools } from "./special.ts";
import { toolTable } from "./table.ts";

/** Notes the files that a program touches, from the table or by its own function. */
export function applyTool(call: Call, name: string): void {
  if (call.argv.includes("--help")) return;
  const special = Object.hasOwn(specialTools, name) ? specialTools[name] : undefined;
  if (special !== undefined) {
    special(call);
    return;
  }
  const tool = toolOf(name);
  if (tool === null) return;
  const parsed = readOptions(call.argv.slice(1), tool.options);
  for (const effect of tool.effects) applyEffect(call, name, effect, parsed);
}

interface Effect {
  readonly action: Action | "into";
  readonly what: string;
  readonly names: readonly string[];
  readonly qualifiers: ReadonlyMap<string, readonly string[]>;
}

interface Tool {
  readonly options: string;
  readonly effects: readonly Effect[];
}

const read = new Map<string, Tool>();

function toolOf(name: string): Tool | null {
  const known = read.get(name);
  if (known !== undefined) return known;
  const line = Object.hasOwn(toolTable, name) ? toolTable[name] : undefined;
  if (line === undefined) return null;
  const [options = "-", effects = ""] = line.split(" | ");
  const tool = { options, effects: effects.split(" ; ").map(effectOf) };
  read.set(name, tool);
  return tool;
}

function effectOf(text: string): Effect {
  const [action = "read", target = "all", ...rest] = text.trim().split(" ");
  const [what = "all", names = ""] = target.split(":");
  const qualifiers = new Map(
    rest.map((word) => {
      const [key = "", list = ""] = word.split(":");
      return [key, list === "" ? [] : list.split(",")] as const;
    }),
  );
  return {
    action: action as Effect["action"],
    what,
    names: names === "" ? [] : names.split(","),
    qualifiers,
  };
}

function applyEffect(call: Call, name: string, effect: Effect, parsed: Parsed): void {
  const { qualifiers } = effect;
  const when = qualifiers.get("if");
  if (when !== undefined && !has(parsed, ...when)) return;
  const never = qualifiers.get("unless");
  if (never !== undefined && has(parsed, ...never)) return;
  const into = effect.action === "into";
  const action: Action = effect.action === "into" ? "write" : effect.action;
  const via = `${name} ${into ? "unpacks" : verb[action]} ${words(effect)}`;
  for (const word of new Set(wordsOf(call, effect, parsed))) {
    const path = qualifiers.has("globs") ? globbed(word) : word;
    touch(call, action, path, via, {
      tree: into || given(parsed, qualifiers.get("tree")),
      keeps: into || given(parsed, qualifiers.get("keep")),
    });
  }
}

const verb: Readonly<Record<Action, string>> = {
  write: "writes",
  delete: "deletes",
  move: "moves",
  read: "reads",
};

function words(effect: Effect): string {
  if (effect.names.length > 0) return `what ${effect.names[0]} names`;
  return effect.what === "all" || effect.what === "rest" ? "its arguments" : `its ${effect.what} argument`;
}

/** A qualifier counts when it stands alone or one of its options is given. */
function given(parsed: Parsed, names: readonly string[] | undefined): boolean {
  return names !== undefined && (names.length === 0 || has(parsed, ...names));
}

function wordsOf(call: Call, effect: Effect, parsed: Parsed): readonly string[] {
  const { operands } = parsed;
  switch (effect.what) {
    case "all":
      return operands;
    case "rest":
      return operands.slice(1);
    case "first":
      return operands.slice(0, 1);
    case "second":
      return operands.slice(1, 2);
    case "last":
      return operands.slice(-1);
    case "opt":
      return optionValues(parsed, ...effect.names);
    default:
      return pairsOf(call.argv, effect.names);
  }
}

function pairsOf(argv: readonly string[], names: readonly string[]): string[] {
  return argv.flatMap((word, at) => {
    const equals = word.indexOf("=");
    if (equals > 0 && names.includes(word.slice(0, equals))) return [word.slice(equals + 1)];
    const next = argv[at + 1];
    return names.includes(word) && next !== undefined ? [next] : [];
  });
}
