import type { Dict } from "../core/read.ts";
import { defaultSettings } from "../core/settings.ts";
import { packs } from "../policies/guard/commands/packs.ts";
import { choice, count, duration, type Field, flag, patterns, textOrNull } from "./field.ts";
import { ruleList, strengthsBy } from "./rule-fields.ts";

/** `files/unsaved` is met by what git says; `budget`: a command that could not be followed to its end. */
const ruleIds = [...packs.flatMap((pack) => pack.rules.map((rule) => rule.id)), "files/unsaved", "budget"];
const packNames = [...new Set(ruleIds.map((id) => id.slice(0, Math.max(0, id.indexOf("/")))))].filter(
  Boolean,
);

const { protect, commands, tests, review, git } = defaultSettings;

/**
 * The manifest, described once. The validator, the JSON Schema for editors, the template that
 * `install` writes and the reference in the docs are all made from this.
 */
export const sections = {
  protect: {
    words: "Files an agent may not write, move onto or delete.",
    keys: {
      paths: patterns({
        default: protect.paths,
        words:
          "Patterns of protected files. Without a slash: the file name at any depth. With a slash: relative to the project root. Case is ignored. A list here replaces the built-in one.",
        note: "no slash: any depth; with a slash: from the project root",
      }),
      except: patterns({
        isExcept: true,
        default: protect.except,
        words: "Exceptions in the same syntax; they win over `paths`.",
        note: 'for example ".env.example"',
      }),
      reads: patterns({
        default: protect.reads,
        words:
          'Files an agent may not read either, in the same syntax, by tool or by command. Empty: reading is always allowed. The entry "$env" stands for the environment: env, printenv and the like.',
        note: 'what may not be read, for example "*.pem"',
      }),
      holdfast: flag({
        default: protect.holdfast,
        words:
          "Protect Holdfast itself: its files, its entries in the agents' settings, and the switches that turn it off. A person is never stopped.",
        note: "its own files and switches, too",
      }),
    },
  },
  commands: {
    words: "Commands that can destroy work or skip checks.",
    keys: {
      risky: choice(["ask", "deny", "off"], {
        default: commands.risky,
        words:
          "What happens to `rm -rf` on a broad target, a forced push, `git commit --no-verify` and the like. `ask` becomes a refusal in agents that cannot ask.",
        note: "ask | deny | off",
      }),
      packs: strengthsBy(packNames, "pack", {
        default: commands.packs,
        words:
          "The same for one pack of rules, by the first part of a rule's id, for example `{ database: off, publish: deny }`.",
        note: "one pack of rules: { database: off }",
      }),
      override: strengthsBy(ruleIds, "rule", {
        default: commands.override,
        words:
          "The same for one rule, by its id, for example `{ git/force-push: deny }`. It wins over its pack.",
        note: "one rule: { git/force-push: deny }",
      }),
      rules: ruleList({
        default: commands.rules,
        words:
          'Your own rules: `match` names a program, the words of the command and options that must be given ("npm install", "git push -f|--force"); `verdict` is ask or deny; `message` says why; `instead` names what to use. No regular expressions.',
        note: "your own rules, see docs/settings.md",
      }),
    },
  },
  tests: {
    words: "The check at the end of an agent's turn and before a commit.",
    keys: {
      command: textOrNull({
        default: tests.command,
        words:
          'The command that runs the tests. Absent: found out from the project\'s files. An empty text (""): tests are never run.',
        note: 'leave empty to detect, "" for none',
      }),
      on_failure: choice(["retry-then-ask", "ask", "notify"], {
        default: tests.onFailure,
        words:
          "What happens when the tests fail at the end of a turn: send the agent back and ask you when the retries are used up, ask you at once, or only tell you.",
        note: "retry-then-ask | ask | notify",
      }),
      max_retries: count({
        default: tests.maxRetries,
        min: 0,
        max: 20,
        words:
          "How often a session may be sent back in a row. A pass, or a question to you, starts the count anew.",
        note: "per session",
      }),
      timeout: duration({
        default: tests.timeoutMs,
        max: 9 * 60_000,
        why: "Agents end a hook after ten minutes, so the tests must end before.",
        words: "How long the tests may take at the end of a turn, e.g. `90s` or `9m`.",
        note: "at most 9m",
      }),
      skip_when_unchanged: flag({
        default: tests.skipWhenUnchanged,
        words: "Do not run the tests when nothing changed since the last check that did not fail.",
        note: "same tree, no new run",
      }),
    },
  },
  review: {
    words: "A note when a change grows large.",
    keys: {
      max_diff_lines: count({
        default: review.maxDiffLines,
        min: 0,
        max: 1_000_000,
        words: "Added plus removed lines above which the end of a turn asks for a review.",
        note: "added + removed",
      }),
    },
  },
  git: {
    words: "The pre-commit hook.",
    keys: {
      run_tests: flag({
        default: git.runTests,
        words: "Run the tests before each commit.",
        note: "before each commit",
      }),
    },
  },
} as const satisfies Readonly<Record<string, Section>>;

export interface Section {
  readonly words: string;
  readonly keys: Readonly<Record<string, Field<unknown>>>;
}

export type SectionName = keyof typeof sections;

/** Keys that have a meaning in the design but nothing behind them yet: accepted, with a warning. */
export const laterSections: readonly string[] = ["memory", "packs", "hooks"];
export const laterKeys: Readonly<Record<SectionName, readonly string[]>> = {
  protect: [],
  commands: [],
  tests: [],
  review: [],
  git: [],
};

/** The only version of the manifest there is. */
export const manifestVersion = 1;

/** The line that lets editors check and complete the manifest, first in every file Holdfast writes. */
export const schemaComment = "# yaml-language-server: $schema=./node_modules/holdfast/schema.json";

/** JSON Schema (draft 7, which every editor reads) of `holdfast.yaml`. */
export function jsonSchema(): Dict {
  const properties: Record<string, unknown> = {
    version: { const: manifestVersion, description: "Version of this file's format." },
  };
  for (const [name, section] of Object.entries<Section>(sections)) {
    properties[name] = sectionSchema(section, laterKeys[name as SectionName]);
  }
  for (const name of laterSections) properties[name] = later;
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Holdfast manifest",
    description:
      "holdfast.yaml: what Holdfast guards and checks in every coding agent. Every key is optional.",
    type: "object",
    additionalProperties: false,
    properties,
  };
}

const later = { description: "Reserved. Accepted, not yet acted on." };

function sectionSchema(section: Section, reserved: readonly string[]): Dict {
  const properties: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(section.keys)) {
    properties[key] = { ...field.json, description: field.words, default: field.plain(field.default) };
  }
  for (const key of reserved) properties[key] = later;
  return { type: ["object", "null"], description: section.words, additionalProperties: false, properties };
}
