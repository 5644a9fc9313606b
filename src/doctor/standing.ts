import { accessSync, constants, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { causeOf } from "../core/problem.ts";
import { dict, list } from "../core/read.ts";
import type { AgentSetup, FilePlan, Machine, Scope } from "../core/setup.ts";
import { ownershipOf } from "../install/edit/own-file.ts";
import { entriesAt, isTomlFault, parseToml } from "../install/edit/toml-tree.ts";
import { isYamlFault, parseYaml, yamlEntries } from "../install/edit/yaml-tree.ts";

import { harmIn } from "./harm.ts";

/**
 * How one planned change stands on disk.
 * - `present`: as installed. - `other-version`: ours, untouched, of another version of Holdfast.
 * - `edited`: ours, changed by somebody. - `absent`: not there. - `foreign`: another file of that name.
 * - `unparsable`: the file cannot be read as what it is, so the agent cannot either.
 */
export type State = "present" | "other-version" | "edited" | "absent" | "foreign" | "unparsable";

export interface Standing {
  readonly agent: string;
  readonly scope: Scope;
  readonly plan: FilePlan;
  readonly state: State;
  /** How often the entry is there; more than once means that every event is answered twice. */
  readonly count: number;
  /** False for a script of ours that may not be executed: whoever should run it passes over it in silence. */
  readonly runs: boolean;
  /** For `edited`: why the entry no longer guards what it should; null when the change does no harm. */
  readonly harm: string | null;
  /** For `unparsable`: what is wrong, and where. Lines and columns count from 1. */
  readonly fault: { readonly words: string; readonly line: number; readonly column: number } | null;
}

/** Looks at everything that belongs to one agent in one scope. Hints have nothing to look at. */
export function standingOf(setup: AgentSetup, scope: Scope, machine: Machine): Standing[] {
  return setup
    .files(scope, machine)
    .filter((plan) => plan.kind !== "hint" && plan.kind !== "lines")
    .map((plan) => {
      const seen = look(plan);
      const runs = seen.count === 0 || mayRun(plan, machine.platform);
      return { agent: setup.agent.id, scope, plan, ...seen, runs };
    });
}

/** True when at least one part is there in any form. */
export function isInstalled(standings: readonly Standing[]): boolean {
  return standings.some(({ state, count }) => count > 0 && state !== "foreign");
}

/** Every scope in which the agent is installed, at least in part. */
export function installedScopes(setup: AgentSetup, machine: Machine): Scope[] {
  return setup.scopes.filter((scope) => isInstalled(standingOf(setup, scope, machine)));
}

function mayRun(plan: FilePlan, platform: string): boolean {
  if (platform === "win32" || !("mode" in plan) || (plan.mode & 0o111) === 0) return true;
  try {
    accessSync(plan.file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Look = Pick<Standing, "state" | "count" | "harm" | "fault">;

const absent: Look = { state: "absent", count: 0, harm: null, fault: null };

function look(plan: FilePlan): Look {
  if (plan.kind === "hint" || plan.kind === "lines" || plan.kind === "text") return absent;
  let text: string;
  try {
    text = readFileSync(plan.file, "utf8");
  } catch (error) {
    const missing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
    return missing
      ? absent
      : { state: "unparsable", count: 0, harm: null, fault: { words: causeOf(error), line: 1, column: 1 } };
  }
  if (plan.kind === "json-list") return lookInList(plan, text);
  if (plan.kind === "toml-list") return lookInToml(plan, text);
  if (plan.kind === "yaml-list") return lookInYaml(plan, text);
  return plan.kind === "json-key" ? lookForKey(plan, text) : lookAtFile(plan.text, text);
}

function lookInList(plan: Extract<FilePlan, { kind: "json-list" }>, text: string): Look {
  const errors: ParseError[] = [];
  const root: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined && text.trim() !== "") {
    const words = printParseErrorCode(first.error)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
    return { state: "unparsable", count: 0, harm: null, fault: { words, ...placeIn(text, first.offset) } };
  }
  const entries = list(plan.at.reduce<unknown>((node, key) => dict(node)[key], root));
  return standingOfEntries(plan, entries);
}

function lookInYaml(plan: Extract<FilePlan, { kind: "yaml-list" }>, text: string): Look {
  const body = text.replace(/^\uFEFF/, "");
  const parsed = parseYaml(body);
  if (isYamlFault(parsed)) {
    return {
      state: "unparsable",
      count: 0,
      harm: null,
      fault: { words: parsed.words, ...placeIn(body, parsed.offset) },
    };
  }
  return standingOfEntries(plan, yamlEntries(parsed.value, plan.at) ?? []);
}

function standingOfEntries(
  plan: Extract<FilePlan, { kind: "json-list" | "toml-list" | "yaml-list" }>,
  entries: readonly unknown[],
): Look {
  const ours = entries.filter((entry) => mentions(entry, plan.ours));
  if (ours.length === 0) return absent;
  const same = ours.some((entry) => isDeepStrictEqual({ ...dict(entry) }, plan.value));
  if (same) return { state: "present", count: ours.length, harm: null, fault: null };
  const isOurs = (entry: unknown) => mentions(entry, plan.ours);
  const harms = ours.map((entry) => harmIn(plan.value, dict(entry), isOurs));
  const harm = harms.includes(null) ? null : (harms[0] ?? null);
  return { state: "edited", count: ours.length, harm, fault: null };
}

function lookInToml(plan: Extract<FilePlan, { kind: "toml-list" }>, text: string): Look {
  const body = text.replace(/^\uFEFF/, "");
  const parsed = parseToml(body);
  if (isTomlFault(parsed)) {
    return {
      state: "unparsable",
      count: 0,
      harm: null,
      fault: { words: parsed.words, ...placeIn(body, parsed.offset) },
    };
  }
  return standingOfEntries(plan, entriesAt(parsed.value, plan.at) ?? []);
}

/** Whatever its value, and no sign of an install: the key may be the person's. */
function lookForKey(plan: Extract<FilePlan, { kind: "json-key" }>, text: string): Look {
  const root = dict(parse(text.replace(/^\uFEFF/, "")));
  return Object.hasOwn(root, plan.key) ? { state: "present", count: 0, harm: null, fault: null } : absent;
}

/** Commands are compared as a whole; a command that only contains ours is the person's. */
function mentions(entry: unknown, commands: readonly string[]): boolean {
  if (typeof entry === "string") return commands.includes(entry);
  if (Array.isArray(entry)) return entry.some((item) => mentions(item, commands));
  return Object.values(dict(entry)).some((value) => mentions(value, commands));
}

function lookAtFile(planned: string, text: string): Look {
  const ownership = ownershipOf(text);
  if (ownership === "foreign") return { state: "foreign", count: 0, harm: null, fault: null };
  if (ownership === "edited") return { state: "edited", count: 1, harm: null, fault: null };
  return {
    state: bodyOf(text) === bodyOf(planned) ? "present" : "other-version",
    count: 1,
    harm: null,
    fault: null,
  };
}

/** Everything but the line that carries the managed mark and its hash. */
function bodyOf(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.replace(/(holdfast managed file) [0-9a-f]{16}/, "$1"))
    .join("\n");
}

export function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
