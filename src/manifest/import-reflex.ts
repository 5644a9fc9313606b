import { parse, TomlError } from "smol-toml";
import { causeOf, type Problem, problem } from "../core/problem.ts";
import { type Dict, dict, isDict, text, texts } from "../core/read.ts";
import type { Answers } from "./edit.ts";
import type { Field, Written } from "./field.ts";
import { nearest } from "./nearest.ts";
import { type Section, type SectionName, sections } from "./schema.ts";
import { manifestTemplate } from "./template.ts";

/** What a `.reflex.toml` turns into. `text` is null when it could not be read. */
export interface Imported {
  /** The whole new `holdfast.yaml`. */
  readonly text: string | null;
  readonly answers: Answers;
  /** Its `agents` section, which the manifest has no keys for: what to give `holdfast install`. */
  readonly agents: readonly string[];
  readonly scope: "project" | "user" | null;
  readonly problems: readonly Problem[];
}

/** Reads a `.reflex.toml`: the same keys, with the same meaning. Never throws. */
export function importReflex(source: string, file: string): Imported {
  let read: Dict;
  try {
    read = parse(source.replace(/^\uFEFF/, ""));
  } catch (error) {
    const where = error instanceof TomlError ? { file, line: error.line, column: error.column } : { file };
    const cause = causeOf(error).split("\n")[0] ?? "";
    return {
      text: null,
      answers: {},
      agents: [],
      scope: null,
      problems: [problem("HF301", "the file does not parse", { where, cause })],
    };
  }
  const problems: Problem[] = [];
  const answers: Record<string, Record<string, unknown>> = {};
  for (const [name, value] of Object.entries(read)) {
    if (name === "agents") continue;
    if (!(name in sections)) problems.push(unknown(name, Object.keys(sections), file));
    else answers[name] = sectionValues(name as SectionName, dict(value), file, problems);
  }
  const agents = dict(read.agents);
  const scope = text(agents.scope);
  const checked = answers as Answers;
  return {
    text: manifestTemplate(checked),
    answers: checked,
    agents: texts(agents.enabled),
    scope: scope === "project" || scope === "user" ? scope : null,
    problems,
  };
}

function sectionValues(
  name: SectionName,
  values: Dict,
  file: string,
  problems: Problem[],
): Record<string, unknown> {
  const keys: Section["keys"] = sections[name].keys;
  const read: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    const field: Field<unknown> | undefined = keys[key];
    if (field === undefined) {
      problems.push(unknown(`${name}.${key}`, Object.keys(keys), file));
      continue;
    }
    const { value: kept, wrong } = field.read(written(value));
    for (const { message, hint } of wrong) {
      const words = `${name}.${key} ${message}; the default is taken`;
      problems.push(problem("HF303", words, { hint, where: { file }, severity: "warning" }));
    }
    read[key] = kept;
  }
  return read;
}

function written(value: unknown): Written {
  const nothing = { value: undefined, raw: "", items: null, other: false, entries: null };
  if (Array.isArray(value)) return { ...nothing, items: value.map(written) };
  if (!isDict(value)) return { ...nothing, value, raw: String(value) };
  return { ...nothing, other: true, entries: Object.entries(value).map(([key, one]) => [key, written(one)]) };
}

function unknown(key: string, known: readonly string[], file: string): Problem {
  const near = nearest(key.split(".").at(-1) ?? key, known);
  const hint = near === null ? "" : `Did you mean "${near}"?`;
  return problem("HF310", `unknown key "${key}" is left out`, { severity: "warning", hint, where: { file } });
}
